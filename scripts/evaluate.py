#!/usr/bin/env python3
"""Measure the auditor on labelled calls: how often it holds up honest summaries, how often it finds errors.

    labelled lines -> calls -> cards -> twins compared -> figures -> table or JSON
                        └ --nowhere: a value, name or deed put in -> cards -> flagged?

    evaluate.py                          the project's own, fixtures/labelled/*.jsonl but for fields.jsonl
    evaluate.py calls.jsonl more.jsonl   your own
    evaluate.py --show 5 --nowhere       with false alarms and misses to look at, and what comes from nowhere
    evaluate.py --fields                 fixtures/labelled/fields.jsonl, or yours: fields, not summaries

A line is {"id", "label": "faithful" | "unfaithful", "kind", "note", "call"}; `call` is a record as `audit`
reads it. Two lines of one file whose ids differ only in their ending, `-f` (honest) and `-u` (with one
error), are twins: the same call, told twice. Only `label` and `call` are needed, and what cannot be said
without twins is then left out.

    false alarms   honest summaries with a flag (UNSUPPORTED or CONTRADICTED)
    caught         changed summaries with a flag that their honest twin does not have: for the error itself
    flagged        changed summaries with a flag, for whatever reason
    found first    changed summaries where one of the first three entries of `check_first` lies on the change

With --fields it is fields that are honest or wrong, audited as with `audit --fields`: their flags count,
those of the summary do not, and a flag is known by path and value. `check_first` is about summaries.

Each share stands with its 95 % interval (Wilson). Standard library only, no network; the same figures for the
same calls every time. Exit codes: 0 measured, whatever the figures; 2 bad input or usage; 130 interrupted.
"""

import argparse
import contextlib
import datetime
import difflib
import errno
import functools
import glob
import json
import math
import os
import re
import sys
import time
import zlib
from collections import Counter, namedtuple

import post_summary_faithfulness_auditor as auditor
from post_summary_faithfulness_auditor import RecordError

__all__ = ["changes", "evaluate", "figures", "judge", "load_labelled", "main", "measure_nowhere", "wilson"]

# ---------------------------------------------------------------------------------------- constants

EXIT_DONE, EXIT_WRONG_INPUT, EXIT_INTERRUPTED = 0, 2, 130

HONEST, CHANGED = LABELS = ("faithful", "unfaithful")
HONEST_END, CHANGED_END = "-f", "-u"
NO_KIND = "(no kind)"

FLAGS = ("UNSUPPORTED", "CONTRADICTED")                     # grades
FIRST = 3                                                   # entries of check_first that a person looks at

NORMAL_95 = 1.959964            # half the width of the middle 95 % of a normal distribution

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OWN_CALLS = os.path.join(ROOT, "fixtures", "labelled", "*.jsonl")

# ------------------------------------------------------------------------------------------ records


class Labelled(namedtuple("Labelled", "file line id label kind note call")):
    """A labelled line: its place, id and label, the kind and note of its error, and the auditor's `Call`."""
    __slots__ = ()


class Judged(namedtuple("Judged", "labelled card twin own found")):
    """A labelled call with its card.

    `twin` is the `Labelled` honest twin of a changed summary, else None. With a twin, `own` lists the flagged
    claims that the twin's card does not have, and `found` says whether `check_first` leads to the change
    (None where no card has a `check_first`). Without one both are None.
    """
    __slots__ = ()


class Foreign(namedtuple("Foreign", "kind change call")):
    """A call whose honest summary got something from nowhere; `change` says what, for a reader."""
    __slots__ = ()

# -------------------------------------------------------------------------------------- the auditor
# All that is asked of it. A call has `summary`, `turns` with `text`, and `recipients`, which are calls.


def read_call(record, where, call_date=None, fields=False):
    """The call of a record of any platform, if asked with its fields; `RecordError` if it has none."""
    call = auditor.read_call(record, where, call_date)
    return auditor.with_fields(call, record, ()) if fields else call


def card_of_call(call, strict=False):
    """The card of a call, a dict as `audit` prints it."""
    return auditor.card_of(auditor.audit_task(call, strict))


def with_summary(call, summary):
    """The same call with another summary."""
    return call._replace(summary=summary)


def cards_of(card):
    """A card and those of its recipients."""
    return [card, *(card.get("recipients") or ())]


def summaries_of(call):
    """The summaries that `cards_of` the call's card are about, in the same order."""
    return [one.summary or "" for one in (call, *call.recipients)]


def rows_of(card):
    """What is measured of a card, with those of its recipients: its fields if it has any, else its claims."""
    return [row for one in cards_of(card) for row in one.get("fields", one["claims"])]


def flags_of(card):
    """The flagged ones of `rows_of` a card."""
    return [row for row in rows_of(card) if row["grade"] in FLAGS]


def flag_name(claim):
    """By what a flag is known again in the twin's card, where it stands in another place."""
    return claim.get("path", claim["kind"]), str(claim["value"]), claim["grade"]


def own_flags(card, other):
    """The flags of a card that the other card does not have."""
    known = set(map(flag_name, flags_of(other)))
    return [claim for claim in flags_of(card) if flag_name(claim) not in known]

# -------------------------------------------------------------------------------------------- input


def labelled_files(paths, fields=False):
    """(path, name to show) of each file, none twice; without paths those of the project."""
    if paths:
        return [(path, path) for path in dict.fromkeys(paths)]
    own = OWN_CALLS.replace("*", "fields")                  # there fields are changed, no summaries
    found = sorted({own} if fields else set(glob.glob(OWN_CALLS)) - {own})
    if not found:
        raise RecordError("no labelled calls", OWN_CALLS)
    return [(path, "fixtures/labelled/" + os.path.basename(path)) for path in found]


def load_labelled(path, name=None, call_date=None, fields=False):
    """The `Labelled` lines of a file, in order; blank lines are passed over.

    `name` is what errors call the file. Raises `RecordError` for a file that cannot be read or holds no line,
    and for a line that is no JSON object, has no label or call, or a call that audit itself cannot read.
    """
    name = name or str(path)
    rows, seen = [], set()
    try:
        with open(path, "rb") as file:
            lines = [(number, line) for number, line in enumerate(file, 1) if line.strip()]
    except FileNotFoundError:
        raise RecordError("no such file", name) from None
    except (OSError, ValueError) as problem:                # ValueError: a NUL in the path
        reason = getattr(problem, "strerror", None) or problem
        raise RecordError(f"no readable file ({reason})", name) from None
    for number, line in lines:
        row = read_labelled(line, name, number, call_date, fields)
        if row.id in seen:                                  # its twin would be anybody's guess
            raise RecordError(f'the id "{row.id}" a second time', f"{name}, line {number}")
        seen.add(row.id)
        rows.append(row)
    if not rows:
        raise RecordError("no labelled call", name)
    return rows


def read_labelled(line, name, number, call_date=None, fields=False):
    """The `Labelled` of one line of bytes."""
    where = f"{name}, line {number}"
    row = parse_line(line, where)
    for key in ("label", "call"):
        if row.get(key) is None:
            raise RecordError(f'no "{key}"', where)
    if row["label"] not in LABELS:
        label = json.dumps(row["label"])[:60]
        raise RecordError(f"unknown label {label} (neither {HONEST} nor {CHANGED})", where)
    if not isinstance(row["call"], dict):
        raise RecordError('a "call" that is no object', where)
    texts = [row.get(key) for key in ("id", "kind", "note")]
    for key, value in zip(("id", "kind", "note"), texts):
        if not isinstance(value, (str, int, type(None))):
            raise RecordError(f'no text under "{key}"', where)
    row_id, kind, note = ("" if value is None else str(value) for value in texts)
    call = read_call(row["call"], where, call_date, fields)
    return Labelled(name, number, row_id or f"line {number}", row["label"], kind or NO_KIND, note, call)


def parse_line(line, where):
    """The JSON object in a line of bytes."""
    try:
        row = json.loads(line.decode("utf-8-sig").rstrip())
    except UnicodeDecodeError as problem:
        raise RecordError(f"bytes that are not UTF-8 (at byte {problem.start})", where) from None
    except json.JSONDecodeError as problem:
        raise RecordError(f"not JSON (column {problem.colno})", where) from None
    except (RecursionError, ValueError):                    # ValueError: a number of thousands of digits
        raise RecordError("not JSON that can be read", where) from None
    if not isinstance(row, dict):
        raise RecordError("no JSON object", where)
    return row

# ------------------------------------------------------------------------------------------ judging


def judge(rows, strict=False):
    """The `Judged` of each `Labelled`: all cards first, then each changed summary beside its twin."""
    cards = [card_of_call(row.call, strict) for row in watched(rows, "calls audited")]
    honest = {(row.file, row.id): (row, card) for row, card in zip(rows, cards) if row.label == HONEST}
    leads = any("check_first" in card and "fields" not in card for card in cards)
    judged = []
    for row, card in zip(rows, cards):
        twin, twin_card = honest.get((row.file, twin_id(row)), (None, None))
        own = found = None
        if twin:
            own = own_flags(card, twin_card)
            found = leads_to_change(card, row.call, twin.call) if leads else None
        judged.append(Judged(row, card, twin, own, found))
    return judged


def twin_id(row):
    """The id that the honest twin of a changed summary has; None for all others."""
    if row.label == CHANGED and row.id.endswith(CHANGED_END):
        return row.id[:-len(CHANGED_END)] + HONEST_END
    return None


def leads_to_change(card, call, twin):
    """Does one of the first entries of `check_first` lie on what was changed against the twin?

    Where a call has several recipients, each with a summary of its own, the first entries of each count.
    """
    for one, changed, honest in zip(cards_of(card), summaries_of(call), summaries_of(twin)):
        spans = [span for _, _, span in changes(honest, changed)]
        for entry in (one.get("check_first") or ())[:FIRST]:
            first, last = entry["span"]
            if any(first < end and start < last for start, end in spans):
                return True
    return False


def changes(honest, changed, beside=0):
    """What a changed summary says differently: (honest words, changed words, their span in the changed one).

    The words come with as many unchanged ones `beside` them. Where words were only left out, the span is the
    character after the gap, or at the text's end its last word.

    >>> list(changes("Booked for two at six.", "Booked for two at nine sharp."))
    [('six.', 'nine sharp.', (18, 29))]
    >>> list(changes("Perhaps at six", "At six")), list(changes("She may come", "She may", beside=1))
    ([('Perhaps at', 'At', (0, 2))], [('may come', 'may', (4, 7))])
    """
    before, after = ([match.span() for match in re.finditer(r"\S+", text)] for text in (honest, changed))
    told = [honest[i:j] for i, j in before], [changed[i:j] for i, j in after]
    for tag, i, j, first, last in difflib.SequenceMatcher(None, *told, autojunk=False).get_opcodes():
        if tag == "equal" or not after:
            continue
        at = after[min(first, len(after) - 1)]
        if last > first:
            span = at[0], after[last - 1][1]
        else:                                               # words left out, here or at the very end
            span = (at[0], at[0] + 1) if first < len(after) else at
        yield (" ".join(told[0][max(0, i - beside):j + beside]),
               " ".join(told[1][max(0, first - beside):last + beside]), span)

# ------------------------------------------------------------------------------------------ figures


def wilson(count, of):
    """The 95 % interval of a share by Wilson's score, as (low, high); (None, None) of nothing.

    >>> [round(bound, 4) for bound in wilson(81, 263)]
    [0.2553, 0.3662]
    """
    if not of:
        return None, None
    share, spread = count / of, NORMAL_95 ** 2 / of
    middle = share + spread / 2
    half = NORMAL_95 * math.sqrt(share * (1 - share) / of + spread / (4 * of))
    return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))


def share_of(answers):
    """How many of some answers are true: {"count", "of", "share", "low", "high"}; no share of nothing."""
    answers = [bool(answer) for answer in answers]
    return share(sum(answers), len(answers))


def share(count, of):
    """A share with its interval, rounded to four places."""
    low, high = wilson(count, of)
    return {"count": count, "of": of, "share": round(count / of, 4) if of else None,
            "low": round(low, 4) if of else None, "high": round(high, 4) if of else None}


def is_alarm(one):
    """Is a judged call held up?"""
    return bool(flags_of(one.card))


def figures(judged):
    """All figures of some `Judged` calls, as a dict of numbers, shares (see `share_of`) and lists."""
    honest = [one for one in judged if one.labelled.label == HONEST]
    changed = [one for one in judged if one.labelled.label == CHANGED]
    checkable = [one.card["counts"]["checkable"] for one in honest]
    kinds = sorted({one.labelled.kind for one in changed})
    return {
        "honest": len(honest), "changed": len(changed), "twins": sum(one.twin is not None for one in changed),
        "false_alarms": share_of(map(is_alarm, honest)), **found_errors(changed),
        "nothing_checkable": share_of(count == 0 for count in checkable),
        "checkable_claims": round(sum(checkable) / len(checkable), 2) if checkable else None,
        "kinds": [{"kind": kind, **found_errors([one for one in changed if one.labelled.kind == kind])}
                  for kind in kinds],
        "reasons": reasons_of(judged),
    }


def found_errors(changed):
    """The three shares of changed summaries; those that need a twin are shares of the ones that have it."""
    twins = [one for one in changed if one.twin]
    return {"caught": share_of(one.own for one in twins), "flagged": share_of(map(is_alarm, changed)),
            "found_first": share_of(one.found for one in twins if one.found is not None)}


def reasons_of(judged):
    """How often the flags of each reason are right, the most frequent first.

    A row is {"kind", "grade", "reason", "on_error", "on_honest", "right"}: flags on the error of a changed
    summary, flags on honest summaries, and the share of the first in both. A flag that a changed summary has
    in common with its twin is counted once, with the twin. Without any twins nothing is known to lie on an
    error: `on_error` is None, and `right` a share of nothing.
    """
    twins = any(one.twin for one in judged)
    right = Counter(flag_reason(claim) for one in judged for claim in one.own or ())
    wrong = Counter(flag_reason(claim) for one in judged if one.labelled.label == HONEST
                    for claim in flags_of(one.card))
    return [{"kind": key[0], "grade": key[1], "reason": key[2],
             "on_error": right[key] if twins else None, "on_honest": wrong[key],
             "right": share(right[key], right[key] + wrong[key]) if twins else share(0, 0)}
            for key in sorted({*right, *wrong}, key=lambda key: (-right[key] - wrong[key], key))]


def flag_reason(claim):
    """The row of `reasons_of` that a flagged claim counts for."""
    return claim["kind"], claim["grade"], claim.get("reason") or ""

# ------------------------------------------------------------------------------- what comes from nowhere

MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
SURNAMES = "Abernethy Bjorkman Czerny Dragomir Ekwueme Fotheringham Gwozdz Hrdlicka Iyengar Kowalczyk".split()
SMALL = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
         "sixteen seventeen eighteen nineteen").split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
NEARBY_DAYS = "today tonight tomorrow yesterday".split()        # each of them is some weekday

DEEDS = {           # told as done: the beginnings of words of which the call must hold none
    "The agent emailed a leaflet.": "email mail leaflet brochure send sent",
    "A refund was issued.": "refund money credit reimburs",
    "A courier was dispatched.": "courier dispatch driver deliver ship van",
    "The account was upgraded.": "upgrad account plan premium",
    "A contract was signed.": "contract sign agreement",
    "The call was transferred to a supervisor.": "transfer supervisor manager connect through pass",
    "The agent filed a complaint.": "complain file filing report",
    "A replacement was ordered.": "replac order new",
}

CLOCK = r"\b\d{1,2}(?::\d\d)? ?[AaPp]\.?[Mm]\b"
DATE = rf"\b(?:{'|'.join(MONTHS)}) \d{{1,2}}\b|\b\d{{1,2}} (?:{'|'.join(MONTHS)})\b"
PLACES = {          # what of an honest summary is replaced; where two overlap, the earlier kind keeps it
    "time": CLOCK,
    "date": DATE,
    "weekday": rf"\b(?:{'|'.join(WEEKDAYS)})\b",
    "amount": r"(?<!\w)[$£€]\d+(?:,\d{3})*(?:\.\d\d)?",
    "number": r"(?<![\w#$£€:.,/-])\d{2,4}(?![\w#:/-]|[.,]\d)",  # "#" is what a mask leaves of a long number
    "name": r"(?<=[a-z,] )[A-Z][a-z]{3,}\b",                    # not the first word of a sentence
}
DEED = "deed"


def foreign_calls(row):
    """The `Foreign` calls of an honest `Labelled`: of each kind at most one, always the same.

    What is put in stands nowhere in the call, in no spelling known here.
    """
    summary = auditor.mask_pii(row.call.summary or "")
    heard = " ".join(turn.text for turn in row.call.turns).lower()
    said = heard + " " + summary.lower()
    for kind, places in places_of(summary, heard).items():
        choice = zlib.crc32(f"{row.id} {kind}".encode())
        start, end = places[choice % len(places)]
        old = summary[start:end]
        new = next(filter(None, turned(foreign_values(kind, old, said), choice)), None)
        if new:
            told = row.call.summary[:start] + new + row.call.summary[end:]
            yield Foreign(kind, f"{old} -> {new}", with_summary(row.call, told))
    free = [deed for deed, words in DEEDS.items() if not begins_a_word(words.split(), said)]
    if free and summary.strip():
        deed = free[zlib.crc32(f"{row.id} {DEED}".encode()) % len(free)]
        yield Foreign(DEED, deed, with_summary(row.call, f"{row.call.summary.rstrip()} {deed}"))


def places_of(summary, heard):
    """The spans of a summary that can be replaced, by kind; names only if they were heard in the call."""
    taken, places = [], {}
    for kind, shape in PLACES.items():
        for match in re.finditer(shape, summary):
            start, end = match.span()
            if any(start < last and first < end for first, last in taken):
                continue
            if kind == "name" and (match[0].lower() not in heard or match[0] in MONTHS):
                continue
            taken.append((start, end))
            places.setdefault(kind, []).append((start, end))
    return places


def foreign_values(kind, old, said):
    """Values of a kind that were not said in the call, in a fixed order; None for those that were."""
    if kind == "time":
        return [None if any(is_said(number, said) for number in (hour, hour + 12, minute))
                else f"{hour}:{minute:02d} {half}M"
                for hour in range(1, 12) for minute in (7, 13, 22, 38, 52) for half in "AP"]
    if kind == "date":
        free = [month for month in MONTHS if not begins_a_word([month[:3].lower()], said)]
        return [f"{month} {date}" for month in free for date in range(11, 29)]
    if kind == "weekday":
        nearby = begins_a_word(NEARBY_DAYS, said)
        return [None if nearby or day.lower() in said else day for day in WEEKDAYS]
    if kind == "name":
        return [None if name.lower() in said else name for name in SURNAMES]
    sign = old[0] if kind == "amount" else ""
    return [None if is_said(number, said) else f"{sign}{number}" for number in range(21, 98)]


def turned(values, choice):
    """A list from another place on, then from its start: calls differ in what is put in."""
    first = choice // 7 % max(1, len(values))               # not in step with the choice of the place
    return values[first:] + values[:first]


def begins_a_word(beginnings, said):
    """Does a word of a lower-case text begin so?"""
    return re.search(rf"\b(?:{'|'.join(beginnings)})", said) is not None


def is_said(number, said):
    """Does a lower-case text hold a number below 100, in digits or in words?

    >>> [is_said(37, said) for said in ("$37", "thirty-seven", "room three seven", "137 a night", "at seven")]
    [True, True, True, True, False]
    """
    return number_shape(number).search(said) is not None


@functools.lru_cache(None)
def number_shape(number):
    """The pattern of a number below 100, wide rather than narrow: what it finds is not put in."""
    ten, one = divmod(number, 10)
    if number < 20:
        words = SMALL[number]
    elif one:
        words = rf"{TENS[ten]}[- ]?(?:{SMALL[one]}|{one})|{SMALL[ten]}[- ]{SMALL[one]}"
    else:
        words = TENS[ten]
    return re.compile(rf"{words}|{number}" if number > 9 else rf"{words}|(?<!\d){number}(?!\d)")


def measure_nowhere(judged, strict=False):
    """How much of what is put into honest summaries gets a flag that the untouched summary does not have.

    {"total": share, "kinds": [{"kind", "flagged": share}…], "passed": [{"at", "id", "kind", "change"}…]}
    """
    made = [(one, foreign) for one in judged if one.labelled.label == HONEST
            for foreign in foreign_calls(one.labelled)]
    flagged, passed = {kind: [] for kind in (*PLACES, DEED)}, []
    for one, foreign in watched(made, "summaries with something from nowhere audited"):
        caught = bool(own_flags(card_of_call(foreign.call, strict), one.card))
        flagged[foreign.kind].append(caught)
        if not caught:
            passed.append({"at": place_of(one.labelled), "id": one.labelled.id, "kind": foreign.kind,
                           "change": foreign.change})
    return {"total": share_of(sum(flagged.values(), [])),
            "kinds": [{"kind": kind, "flagged": share_of(answers)} for kind, answers in flagged.items()],
            "passed": passed}

# ----------------------------------------------------------------------------------------- examples


def spread(rows, most):
    """So many of some rows, evenly from first to last, so that no file is left out for standing behind."""
    most = min(most, len(rows))
    return [rows[n * len(rows) // most] for n in range(most)]


def place_of(row):
    """Where a labelled line stands: `calls.jsonl:3`."""
    return f"{row.file}:{row.line}"


def alarm_example(one):
    """A false alarm with its flags, for a person to look at."""
    return {"at": place_of(one.labelled), "id": one.labelled.id, "verdict": one.card["verdict"],
            "flags": list(map(flag_example, flags_of(one.card)))}


def miss_example(one):
    """A changed summary that was not caught: its error, its flags, and where its card sends a person."""
    row = one.labelled
    pairs = zip(masked_summaries(one.twin.call), masked_summaries(row.call)) if one.twin else ()
    first = [entry for card in cards_of(one.card) if one.found is not None
             for entry in (card.get("check_first") or ())[:FIRST]]
    return {"at": place_of(row), "id": row.id, "verdict": one.card["verdict"], "kind": row.kind,
            "note": auditor.mask_pii(row.note),
            "changes": [{"honest": told, "changed": instead} for pair in pairs
                        for told, instead, _ in changes(*pair, beside=5)] or changed_fields(row, one.twin),
            "flags": list(map(flag_example, flags_of(one.card))),
            "check_first": [{"text": entry.get("text"), "why": entry.get("why")} for entry in first]}


def changed_fields(row, twin):
    """The fields that a labelled call tells otherwise than its twin, as `changes` in an example."""
    calls = [(row.call, *row.call.recipients), (twin.call, *twin.call.recipients)] if twin else ()
    told = [{leaf.path: f"{leaf.path} = {auditor.mask_pii(str(leaf.value))}" for one in some
             for leaf in one.fields or ()} for some in calls]
    return [{"honest": honest.get(path, ""), "changed": changed.get(path, "")}
            for changed, honest in [told] * bool(told) for path in {**honest, **changed}
            if honest.get(path) != changed.get(path)]


def masked_summaries(call):
    """`summaries_of` a call with long numbers masked."""
    return list(map(auditor.mask_pii, summaries_of(call)))


def flag_example(claim):
    """What is worth a look of a flagged claim."""
    keys = ("path", "kind", "value", "grade", "reason", "why", "text", "turn_index", "contradicted_by_turn",
            "quote")
    return {key: claim[key] for key in keys if claim.get(key) is not None}


def examples(judged, most):
    """{"false_alarms": […], "misses": […]}, at most so many of each."""
    alarms = [one for one in judged if one.labelled.label == HONEST and is_alarm(one)]
    misses = [one for one in judged if one.labelled.label == CHANGED
              and not (one.own if one.twin else is_alarm(one))]
    return {"false_alarms": list(map(alarm_example, spread(alarms, most))),
            "misses": list(map(miss_example, spread(misses, most)))}

# ------------------------------------------------------------------------------------------- report

HEADLINES = (           # of the figures: their key, and what the table calls them
    ("false_alarms", "false alarms on honest summaries"),
    ("caught", "caught for the error itself"),
    ("flagged", "flagged for whatever reason"),
    ("found_first", "found by check_first"),
    ("nothing_checkable", "honest summaries with nothing checkable"),
)
ERROR_SHARES = ("caught", "flagged", "found_first")
NOT_MEASURED = "-"


def cell(part):
    """A share as a table shows it.

    >>> print(cell(share(5, 20)), cell(share(0, 0)), sep="; ")
      5/20     25.0 % (11 to 47); -
    """
    if not part["of"]:
        return NOT_MEASURED
    percent = 100 * part["count"] / part["of"]              # rounded once
    return (f"{part['count']:3d}/{part['of']:<4d} {percent:6.1f} % "
            f"({100 * part['low']:.0f} to {100 * part['high']:.0f})")


def printable(text):
    """A text as one line that cannot steer a terminal."""
    return "".join(sign if sign.isprintable() else " " for sign in " ".join(str(text).split()))


def table(heads, rows):
    """The lines of a table whose columns are as wide as what stands in them."""
    rows = [[printable(first), *map(str, rest)] for first, *rest in (heads, *rows)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def report_figures(total, fields=False):
    """The lines on all calls together."""
    what = "records" if fields else "summaries"
    rows = HEADLINES[:-2] if fields else HEADLINES          # the others are about the summary
    yield (f"labelled calls: {total['honest'] + total['changed']}; honest {what}: {total['honest']}; "
           f"changed ones: {total['changed']}, with their honest twin: {total['twins']}")
    yield ""
    yield from table(("", "of all (95 % interval)"),
                     [(said.replace("summaries", what), cell(total[key])) for key, said in rows])
    if total["checkable_claims"] is not None and not fields:
        yield f"  checkable claims in an honest summary: {total['checkable_claims']}"
    if total["twins"] and not total["found_first"]["of"] and not fields:
        yield "  found by check_first is not measured: these cards have none"
    if total["kinds"]:
        yield ""
        yield from table(("by kind of error", "caught", "flagged", "found first"),
                         [(row["kind"], *(cell(row[key]) for key in ERROR_SHARES)) for row in total["kinds"]])
    if total["reasons"]:
        yield ""
        yield from table(("flags by reason", "on the error", "on honest text", "right"),
                         map(reason_row, total["reasons"]))


def reason_row(row):
    """The cells of a row of `reasons_of`."""
    on_error = NOT_MEASURED if row["on_error"] is None else row["on_error"]
    name = " ".join((row["kind"], row["grade"], row["reason"]))
    return name, on_error, row["on_honest"], cell(row["right"])


def report_files(files):
    """The lines of the table that has a row for each file."""
    yield ""
    keys = ("false_alarms", *ERROR_SHARES)
    yield from table(("by file", "false alarms", "caught", "flagged", "found first"),
                     [(row["file"], *(cell(row[key]) for key in keys)) for row in files])


def report_nowhere(nowhere):
    """The lines on what was put in from nowhere."""
    yield ""
    rows = [(row["kind"], cell(row["flagged"])) for row in nowhere["kinds"]]
    yield from table(("put in from nowhere", "flagged"), [*rows, ("all", cell(nowhere["total"]))])
    for row in nowhere["passed"]:
        yield printable(f"passed: {row['at']} {row['id']}, {row['kind']}: {row['change']}")


def report_examples(shown):
    """The lines of the false alarms and misses."""
    for row in shown["false_alarms"]:
        yield "\n" + printable(f"false alarm: {row['at']} {row['id']}, {row['verdict']}")
        yield from map(flag_line, row["flags"])
    for row in shown["misses"]:
        yield "\n" + printable(f"miss: {row['at']} {row['id']}, {row['kind']}, {row['verdict']}")
        if row["note"]:
            yield f"    note: {printable(row['note'])}"
        for change in row["changes"]:
            yield f"    honest: {printable(change['honest'])}\n    changed: {printable(change['changed'])}"
        yield from map(flag_line, row["flags"])
        for entry in row["check_first"]:
            yield f"    check first: {printable(entry['text'])} ({printable(entry['why'])})"


def flag_line(flag):
    """A flagged claim in some lines: what, why, in which sentence, against which turn."""
    reason = flag.get("why") or flag.get("reason")
    line = f"    {flag['grade']} {flag['kind']} {printable(flag['value'])}"
    line += f": {printable(reason)}" if reason else ""
    line += f"\n        in: {printable(flag.get('text') or flag['path'])}"
    turn = flag.get("contradicted_by_turn", flag.get("turn_index"))
    return line if turn is None else f"{line}\n        turn {turn}: {printable(flag.get('quote', ''))}"


def watched(rows, what):
    """Pass rows on; where standard error is a terminal, a line there says how far it is."""
    live, total, shown = sys.stderr is not None and sys.stderr.isatty(), len(rows), 0.0
    try:
        for number, row in enumerate(rows):
            if live and time.monotonic() - shown > .2:
                shown = time.monotonic()
                print(f"\r\x1b[K{number} of {total} {what}", end="", file=sys.stderr, flush=True)
            yield row
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

# ------------------------------------------------------------------------------------- command line


def evaluate(files, strict=False, call_date=None, show=0, nowhere=False, fields=False):
    """Everything measured on labelled files, ready for JSON.

    `files` are (path, name) pairs. Keys: `auditor` (its version), `strict`, `fields`, `total` and per file in
    `files` what `figures` gives; with `nowhere` what `measure_nowhere` gives; with `show` the `examples`.
    Raises `RecordError` before anything is audited if a file or a line of it cannot be read.
    """
    rows = [row for path, name in files for row in load_labelled(path, name, call_date, fields)]
    judged = judge(rows, strict)
    result = {"auditor": auditor.__version__, "strict": strict, "fields": fields, "total": figures(judged),
              "files": [{"file": name, **figures([one for one in judged if one.labelled.file == name])}
                        for name in dict.fromkeys(name for _, name in files)]}
    if nowhere:
        result["nowhere"] = measure_nowhere(judged, strict)
        result["nowhere"]["passed"] = spread(result["nowhere"]["passed"], show)
    if show:
        result["examples"] = examples(judged, show)
    return result


def report(result):
    """The lines that a person reads of what `evaluate` gives."""
    yield from report_figures(result["total"], result["fields"])
    if len(result["files"]) > 1:
        yield from report_files(result["files"])
    if "nowhere" in result:
        yield from report_nowhere(result["nowhere"])
    if "examples" in result:
        yield from report_examples(result["examples"])


def build_parser():
    """The command line's options."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("files", metavar="FILE.jsonl", nargs="*",
                        help="labelled calls; without any, the project's own")
    parser.add_argument("--show", metavar="N", type=count, default=0,
                        help="print N false alarms and N misses, spread over all files")
    parser.add_argument("--nowhere", action="store_true",
                        help="also put values, names and deeds from nowhere into honest summaries")
    parser.add_argument("--fields", action="store_true",
                        help="measure structured fields instead of summaries")
    parser.add_argument("--strict", action="store_true", help="audit with --strict")
    parser.add_argument("--call-date", metavar="YYYY-MM-DD", type=day,
                        help="for records without a start time")
    parser.add_argument("--json", action="store_true", help="print all of it as one JSON object")
    return parser


def count(text):
    """The number of --show."""
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"no number from 0 up: {text!r}")
    return int(text)


def day(text):
    """The date of --call-date."""
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"no date (YYYY-MM-DD): {text!r}") from None


def complain(said):
    """Say what went wrong on standard error, if that is open."""
    with contextlib.suppress(OSError):
        print(f"error: {said}", file=sys.stderr, flush=True)


def main(argv=None):
    """Measure and print; return the exit code. argv: the arguments without the program's name."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")            # a console's code page may lack a name's letters
    parser = build_parser()
    options = parser.parse_args(argv)
    if options.fields and options.nowhere:
        parser.error("--nowhere puts errors into summaries; it does not go with --fields")
    try:
        result = evaluate(labelled_files(options.files, options.fields), options.strict, options.call_date,
                          options.show, options.nowhere, options.fields)
        for line in [json.dumps(result, indent=2)] if options.json else report(result):
            print(line)
        if sys.stdout:                                      # none where it was closed
            sys.stdout.flush()                              # a closed pipe must show here, not later
        return EXIT_DONE
    except RecordError as problem:
        complain(printable(auditor.mask_pii(str(problem))))
        return EXIT_WRONG_INPUT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OSError as problem:                              # every other file answers with a RecordError
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if problem.errno in (errno.EPIPE, errno.EINVAL):    # EINVAL is how Windows says it
            return EXIT_DONE                                # the reader has seen enough: `| head`
        complain(f"{problem.strerror} in standard output")
        return EXIT_WRONG_INPUT


if __name__ == "__main__":
    sys.exit(main())
