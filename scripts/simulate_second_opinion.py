#!/usr/bin/env python3
"""What auditor and second opinion reach together, SIMULATED: no model is asked.

    simulate_second_opinion.py [FILE.jsonl …]           default: fixtures/labelled/*.jsonl but for fields.jsonl

The twins of fields.jsonl differ in a structured field and not in the summary.

Each line of a file holds {"id": "C01-f" (an honest summary) or "C01-u" (the same with one error), "label",
"call"}. The evaluator asks about the auditor's cards as with --cards, but a stand-in for the model answers
from the labels: words that overlap what differs from the honest twin are unsupported, all others supported,
with a quote; so in 100, 95 and 90 of a hundred claims, the other way round in the rest, always the same ones.
A real model also says `ambiguous`, asks for more of the call, and errs where it is hard.

Printed, for the auditor alone and for both: honest summaries flagged, changed ones flagged, and those caught
by a flag on the changed words; then the characters sent, against those of calls and summaries, the share of
the calls that is shown, and requests a call. Exit codes: 0 done; 2 no labelled calls.
"""

import argparse
import difflib
import glob
import json
import os
import random
import re
import subprocess
import sys
from functools import partial

import factual_accuracy_evaluator as evaluator
import post_summary_faithfulness_auditor as auditor

HERE = os.path.dirname(os.path.abspath(__file__))
LABELLED = os.path.join(os.path.dirname(HERE), "fixtures", "labelled", "*.jsonl")
ACCURACIES = (1.0, 0.95, 0.9)
FLAGGED = (auditor.CONTRADICTED_CLAIMS, auditor.UNSUPPORTED_CLAIMS)
MODEL = "simulated"
COLUMNS = ("right answers", "honest flagged", "changed flagged", "caught", "characters sent", "calls shown",
           "requests a call")


def changed_spans(honest, changed):
    """(start, end) in the changed summary of the words that its honest twin does not have, or of their gap.

    >>> changed_spans("Paid on Monday by Jo.", "Paid on Tuesday by Jo."), changed_spans("Not free.", "Free.")
    ([(8, 15)], [(0, 5)])
    """
    spans = [[word.span() for word in re.finditer(r"\S+", text)] for text in (honest, changed)]
    words = [[text[start:end] for start, end in some] for text, some in zip((honest, changed), spans)]
    found = []
    for tag, _, _, first, last in difflib.SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        if tag != "equal":
            start = spans[1][first][0] if first < len(spans[1]) else len(changed)
            found.append((start, spans[1][last - 1][1] if last > first else start + 1))
    return found


def overlaps(row, spans):
    """Whether an entry of a card lies on one of some spans of the summary."""
    at = evaluator.span_of(row)
    return at is not None and any(at[0] < end and start < at[1] for start, end in spans)


def answer(inquiry, spans, accuracy, luck):
    """The stand-in for a model: the label of each question, or the other way round as often as it errs."""
    quote = inquiry.runs[0][0].text
    opinions = []
    for question in inquiry.questions:
        right, changed = luck.random() < accuracy, any(overlaps(row, spans) for row in question.rows)
        verdict = evaluator.UNSUPPORTED if changed == right else evaluator.SUPPORTED
        opinions.append(evaluator.Opinion(verdict, quote if verdict == evaluator.SUPPORTED else "", False))
    return opinions


def read_rows(paths):
    """The lines of the files, each with the spans of what is wrong in its summary."""
    rows = [json.loads(line) for path in paths for _, line in evaluator.read_lines(path)]
    honest = {row["id"][:-1]: row["call"]["post_summary"] for row in rows if row["label"] == "faithful"}
    for row in rows:
        row["spans"] = changed_spans(honest[row["id"][:-1]], row["call"]["post_summary"])
    return rows


def audit(rows):
    """The auditor's card of each row, from its own command line."""
    data = "".join(json.dumps(row["call"]) + "\n" for row in rows).encode()
    done = subprocess.run([sys.executable, auditor.__file__, "audit", "--jsonl", "-"], input=data,
                          stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def decide(rows, cards, accuracy):
    """(cards with second opinions, totals of what was sent) under a judge of such an accuracy."""
    decided, tally = [], evaluator.OpinionTally()
    for row, card in zip(rows, cards):
        judge = partial(answer, spans=row["spans"], accuracy=accuracy, luck=random.Random(row["id"]))
        panel = evaluator.Panel(judge, MODEL, evaluator.WIDEN_CALL, False, evaluator.Budget())
        call = auditor.read_call(row["call"], row["id"])
        decided.append(evaluator.second_opinion(card, call, panel))
        tally.add(evaluator.Decided(decided[-1], False))
    return decided, tally


def caught(row, card, together):
    """Whether a flag lies on what was changed, of both together or of the auditor alone."""
    entries = [entry for key in evaluator.ROW_LISTS for entry in evaluator.rows_in(card, key)]
    grades = [evaluator.grade_together(entry, False) if together else entry.get("grade") for entry in entries]
    return any(grade in evaluator.FLAGS and overlaps(entry, row["spans"])
               for entry, grade in zip(entries, grades))


def share(flags):
    """How many of some truths hold."""
    return f"{sum(flags) / max(1, len(flags)):.1%}"


def print_line(cells):
    """A line of the table, each cell under its column's name."""
    print("   ".join(str(cell).rjust(len(name)) for cell, name in zip(cells, COLUMNS)))


def line_of(name, rows, cards, together):
    """The cells that tell how a summary fares, by the auditor alone or by both together."""
    key = "combined_verdict" if together else "verdict"
    pairs = list(zip(rows, cards))
    return [name, share([card[key] in FLAGGED for row, card in pairs if not row["spans"]]),
            share([card[key] in FLAGGED for row, card in pairs if row["spans"]]),
            share([caught(row, card, together) for row, card in pairs if row["spans"]])]


def main(paths):
    """Print the table; return the exit code."""
    paths = paths or sorted(set(glob.glob(LABELLED)) - {LABELLED.replace("*", "fields")}) or [LABELLED]
    try:
        rows = read_rows(paths)
    except (evaluator.EvaluatorError, ValueError, KeyError, TypeError) as problem:
        print(f"error: no labelled calls ({problem!r}) in {', '.join(paths)}", file=sys.stderr)
        return 2
    cards, honest = audit(rows), sum(not row["spans"] for row in rows)
    print(f"{honest} honest, {len(rows) - honest} changed summaries; a SIMULATED judge answers from labels")
    print_line(COLUMNS)
    print_line(line_of("auditor alone", rows, cards, together=False))
    for accuracy in ACCURACIES:
        decided, tally = decide(rows, cards, accuracy)
        print_line([*line_of(f"{accuracy:.0%}", rows, decided, together=True),
                    f"{tally.characters / tally.whole:.0%}",
                    f"{tally.shown / max(1, tally.call):.0%}", f"{tally.requests / tally.cards:.2f}"])
    return 0


def arguments():
    """The files that the command line names; --help prints what the top of this file says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE.jsonl",
                        help="labelled calls; without any, the project's own")
    return parser.parse_args().files


if __name__ == "__main__":
    sys.exit(main(arguments()))
