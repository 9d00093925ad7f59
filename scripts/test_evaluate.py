#!/usr/bin/env python3
"""Tests of evaluate.py: one class a section, in the file's order. Every value was worked out by hand.

Where exactness matters the auditor is replaced: a call's card is then what the test says it is, looked up by
the call's summary. The calls and the people in them are invented.
"""

import contextlib
import doctest
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import evaluate
from evaluate import RecordError

SCRIPT = evaluate.__file__
TURNS = [{"speaker": "agent", "text": "Ines, shall I book the table for four at two?"},
         {"speaker": "callee", "text": "Yes, Friday at two, please. It is twenty dollars, is it?"},
         {"speaker": "agent", "text": "Right, I have booked it."}]


def load_tests(loader, tests, pattern):
    """The docstring examples are tests too."""
    tests.addTests(doctest.DocTestSuite(evaluate))
    return tests


def call(summary, turns=TURNS):
    """A call record."""
    return {"call_id": "c", "post_summary": summary, "transcript": turns}


def line(name, label, summary="It is booked.", **more):
    """A labelled line as a dict."""
    return {"id": name, "label": label, "call": call(summary), **more}


def flag(value, kind="numeric", grade="UNSUPPORTED", reason=None):
    """A claim of a card."""
    return {"kind": kind, "value": value, "grade": grade, "text": f"A sentence with {value}.",
            **({"reason": reason} if reason else {})}


def card(*claims, first=None, checkable=3, **more):
    """A card; `first` lists the spans of `check_first`, None leaves it out."""
    bad = {claim["grade"] for claim in claims} & {"UNSUPPORTED", "CONTRADICTED"}
    verdict = "CONTRADICTED_CLAIMS" if "CONTRADICTED" in bad else "UNSUPPORTED_CLAIMS" if bad else "FAITHFUL"
    made = {"verdict": verdict, "claims": list(claims), "counts": {"checkable": checkable}, **more}
    if first is not None:
        made["check_first"] = [{"text": "t", "span": span, "why": "w"} for span in first]
    return made


@contextlib.contextmanager
def cards(by_summary):
    """The auditor answers with these cards, by summary; any other summary gets one without flags."""
    def card_of_call(one, strict=False):
        return by_summary.get(one.summary, card())
    with mock.patch.object(evaluate, "card_of_call", card_of_call):
        yield


@contextlib.contextmanager
def files(*contents):
    """Paths of files with such lines; a line that is not bytes becomes JSON."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"calls{n}.jsonl") for n in range(len(contents))]
        for path, rows in zip(paths, contents):
            with open(path, "wb") as file:
                file.writelines((row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n"
                                for row in rows)
        yield paths


def run(*argv, terminal=False):
    """Run the command in this process; return (exit code, standard output, standard error)."""
    out, err = io.StringIO(), io.StringIO()
    err.isatty = lambda: terminal
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = evaluate.main([str(word) for word in argv])
        except SystemExit as left:                          # argparse
            code = left.code
    return code, out.getvalue(), err.getvalue()


def measured(rows, by_summary, **options):
    """What `evaluate` gives for one file with such lines."""
    with files(rows) as paths, cards(by_summary):
        return evaluate.evaluate([(paths[0], "calls.jsonl")], **options)


def counts(part):
    """(count, of) of a share."""
    return part["count"], part["of"]


# -------------------------------------------------------------------------------------------- input

class Input(unittest.TestCase):

    def test_bad_lines(self):
        good = line("a-f", "faithful")
        rows = [
            (b"{", "not JSON (column 2) in PATH, line 2"),
            (b'"text"', "no JSON object in PATH, line 2"),
            (b"\xff{}", "bytes that are not UTF-8 (at byte 0) in PATH, line 2"),
            (b"[" * 200_000, "not JSON that can be read in PATH, line 2"),
            ({"call": good["call"]}, 'no "label" in PATH, line 2'),
            ({"label": "faithful"}, 'no "call" in PATH, line 2'),
            (line("b-f", "honest"),
             'unknown label "honest" (neither faithful nor unfaithful) in PATH, line 2'),
            (line("b-f", ["faithful"]),
             'unknown label ["faithful"] (neither faithful nor unfaithful) in PATH, line 2'),
            ({"label": "faithful", "call": "a text"}, 'a "call" that is no object in PATH, line 2'),
            (line(["b-f"], "faithful"), 'no text under "id" in PATH, line 2'),
            (line("b-u", "unfaithful", kind={}), 'no text under "kind" in PATH, line 2'),
            (good, 'the id "a-f" a second time in PATH, line 2'),
        ]
        for row, said in rows:
            with self.subTest(said), files([good, row]) as (path,):
                code, out, err = run(path)
                self.assertEqual((code, out, err), (2, "", f"error: {said.replace('PATH', path)}\n"))

    def test_a_record_that_audit_cannot_read_is_named(self):
        bad = {"label": "faithful", "call": {"post_summary": 7, "transcript": TURNS}}
        for record in (bad, {"label": "faithful", "call": {"note": "no text at all"}}):
            with files([b"", line("a-f", "faithful"), record]) as (path,):
                code, out, err = run(path)
                self.assertEqual((code, out, err.count("\n")), (2, "", 1))
                self.assertRegex(err, r"\Aerror: .+ in .*calls0\.jsonl, line 3\n\Z")

    def test_bad_files(self):
        with files([b"", b"  "]) as (path,):
            self.assertEqual(run(path)[::2], (2, f"error: no labelled call in {path}\n"))
            folder = os.path.dirname(path)
            self.assertRegex(run(folder)[2], r"\Aerror: no readable file \(.+\) in .+\n\Z")
            gone = os.path.join(folder, "gone.jsonl")
            self.assertEqual(run(path, gone)[::2], (2, f"error: no labelled call in {path}\n"))
            self.assertEqual(run(gone)[::2], (2, f"error: no such file in {gone}\n"))

    def test_bad_options(self):
        for argv in (["--show", "-1"], ["--show", "many"], ["--call-date", "soon"], ["--unknown"]):
            with self.subTest(argv):
                code, out, err = run(*argv)
                self.assertEqual((code, out), (2, ""))
                self.assertIn("error:", err)

    def test_what_may_be_missing(self):
        least = {"label": "unfaithful", "call": call("Booked.")}
        nulls = {"id": 7, "label": "faithful", "kind": None, "note": None, "call": call("Booked.")}
        with files([b"\xef\xbb\xbf" + json.dumps(least).encode(), b"", nulls]) as (path,):
            rows = evaluate.load_labelled(path, "mine")
        self.assertEqual([row[:6] for row in rows],
                         [("mine", 1, "line 1", "unfaithful", "(no kind)", ""),
                          ("mine", 3, "7", "faithful", "(no kind)", "")])
        self.assertEqual(rows[0].call.summary, "Booked.")

    def test_records_of_any_platform(self):
        record = {"id": "r", "summary": "Booked.", "transcript": "AI: At two?\nUser: Yes."}
        with files([{"label": "faithful", "call": record}]) as (path,):
            self.assertEqual([turn.text for turn in evaluate.load_labelled(path)[0].call.turns],
                             ["At two?", "Yes."])

    def test_a_file_named_twice_counts_once(self):
        self.assertEqual(evaluate.labelled_files(["b", "a", "b"]), [("b", "b"), ("a", "a")])

    def test_without_files_the_projects_own(self):
        names = [name for _, name in evaluate.labelled_files([])]
        self.assertIn("fixtures/labelled/outbound.jsonl", names)
        with mock.patch.object(evaluate, "OWN_CALLS", os.path.join("nowhere", "*.jsonl")):
            with self.assertRaisesRegex(RecordError, "no labelled calls in nowhere"):
                evaluate.labelled_files([])


# ------------------------------------------------------------------------------------------ judging

class Changes(unittest.TestCase):

    def spans(self, honest, changed):
        return [changed[slice(*span)] for _, _, span in evaluate.changes(honest, changed)]

    def test_spans(self):
        rows = [
            ("At two on Friday.", "At three on Friday.", ["three"]),
            ("At two on Friday.", "At ten past three on Monday.", ["ten past three", "Monday."]),
            ("She may come on Friday.", "She will come.", ["will come."]),
            ("It was perhaps booked.", "It was booked.", ["b"]),            # the gap
            ("Booked, if it rains", "Booked,", ["Booked,"]),                # a gap at the end
            ("Booked.", "Booked.", []),
            ("Booked.", "", []),
            ("", "Booked for two.", ["Booked for two."]),
        ]
        for honest, changed, expected in rows:
            with self.subTest(changed):
                self.assertEqual(self.spans(honest, changed), expected)


class Judging(unittest.TestCase):

    def found(self, *spans, summary="Booked for three on Friday."):
        """Does a check_first with such spans lead to the "three" (11 to 16) of the changed summary?"""
        rows = [line("a-f", "faithful", "Booked for two on Friday."), line("a-u", "unfaithful", summary)]
        return measured(rows, {summary: card(first=spans)})["total"]["found_first"]

    def test_check_first_must_overlap_the_change(self):
        rows = [([[0, 11]], 0), ([[0, 12]], 1), ([[15, 20]], 1), ([[16, 20]], 0), ([[0, 27]], 1), ([], 0)]
        for spans, expected in rows:
            with self.subTest(spans):
                self.assertEqual(counts(self.found(*spans)), (expected, 1))

    def test_only_the_first_three_count(self):
        away = [17, 19]
        self.assertEqual(self.found(away, away, [11, 16], away)["count"], 1)
        self.assertEqual(self.found(away, away, away, [11, 16])["count"], 0)

    def test_cards_without_check_first_are_not_measured(self):
        rows = [line("a-f", "faithful", "At two."), line("a-u", "unfaithful", "At six.")]
        self.assertEqual(counts(measured(rows, {})["total"]["found_first"]), (0, 0))

    def test_recipients_have_summaries_of_their_own(self):
        def two(name, label, summary):
            people = [{"call_id": f"r{n}", "post_summary": said, "transcript": TURNS}
                      for n, said in enumerate(("Booked.", summary))]
            record = {"call_id": "c", "post_summary": "Two were called.", "recipients": people}
            return {"id": name, "label": label, "call": record}
        changed = card(first=[], recipients=[card(first=[[0, 7]]), card(flag("6"), first=[[3, 6]])])
        rows = [two("a-f", "faithful", "At two."), two("a-u", "unfaithful", "At six.")]
        answers = iter((card(first=[], recipients=[card(first=[]), card(first=[])]), changed))
        with files(rows) as (path,), mock.patch.object(evaluate, "card_of_call", lambda *_: next(answers)):
            total = evaluate.evaluate([(path, path)])["total"]
        self.assertEqual((counts(total["found_first"]), counts(total["caught"])), ((1, 1), (1, 1)))

    def test_twins_are_of_one_file(self):
        with files([line("a-f", "faithful")], [line("a-u", "unfaithful")]) as paths, cards({}):
            self.assertEqual(evaluate.evaluate([(path, path) for path in paths])["total"]["twins"], 0)

    def test_an_ending_is_no_twin_without_its_label(self):
        rows = [line("a-f", "unfaithful"), line("a-u", "unfaithful"), line("u", "unfaithful")]
        self.assertEqual(measured(rows, {})["total"]["twins"], 0)


# ------------------------------------------------------------------------------------------ figures

class Wilson(unittest.TestCase):

    def test_published_values(self):
        """Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
        for count, of, low, high in ((81, 263, .2553, .3662), (15, 148, .0624, .1605), (0, 20, 0, .1611),
                                     (1, 29, .0061, .1718)):
            with self.subTest(count=count, of=of):
                bounds = evaluate.wilson(count, of)
                self.assertEqual(tuple(round(bound, 4) for bound in bounds), (low, high))

    def test_by_hand(self):
        """1 of 1: from 1 / (1 + 1.96²) = 0.2065 to 1; and a share's other side mirrors it."""
        self.assertEqual([round(bound, 4) for bound in evaluate.wilson(1, 1)], [.2065, 1])
        self.assertEqual([round(bound, 4) for bound in evaluate.wilson(0, 1)], [0, .7935])

    def test_of_nothing(self):
        self.assertEqual(evaluate.wilson(0, 0), (None, None))
        self.assertEqual(list(evaluate.share(0, 0).items()),
                         [("count", 0), ("of", 0), ("share", None), ("low", None), ("high", None)])


class Figures(unittest.TestCase):
    """Two honest summaries, three changed ones, one of them without a twin."""

    ROWS = [
        line("a-f", "faithful", "a honest"), line("a-u", "unfaithful", "a changed", kind="wrong_time"),
        line("b-f", "faithful", "b honest"), line("b-u", "unfaithful", "b changed", kind="wrong_time"),
        line("c-u", "unfaithful", "c changed", kind="wrong_name"),
    ]
    CARDS = {
        "a honest": card(flag("45"), flag("45"), flag("x", grade="SUPPORTED"), checkable=3, first=[]),
        "a changed": card(flag("45"), first=[[0, 1]]),                              # nothing of its own
        "b honest": card(checkable=0, first=[]),
        "b changed": card(flag("14:00", "date_time", reason="superseded"), first=[[2, 9]]),
        "c changed": card(flag("sent", "action", "CONTRADICTED"), flag("7", grade="UNDECIDED"), first=[]),
    }

    def setUp(self):
        self.total = measured(self.ROWS, self.CARDS)["total"]

    def test_headlines(self):
        expected = {"false_alarms": (1, 2), "caught": (1, 2), "flagged": (3, 3), "found_first": (1, 2),
                    "nothing_checkable": (1, 2)}
        self.assertEqual({key: counts(self.total[key]) for key in expected}, expected)
        self.assertEqual((self.total["honest"], self.total["changed"], self.total["twins"]), (2, 3, 2))
        self.assertEqual(self.total["checkable_claims"], 1.5)
        self.assertEqual(self.total["caught"],                      # 1 of 2 by hand: 0.5 ± 0.4055
                         {"count": 1, "of": 2, "share": .5, "low": .0945, "high": .9055})

    def test_kinds(self):
        rows = {row["kind"]: [counts(row[key]) for key in evaluate.ERROR_SHARES]
                for row in self.total["kinds"]}
        self.assertEqual(rows, {"wrong_name": [(0, 0), (1, 1), (0, 0)],
                                "wrong_time": [(1, 2), (2, 2), (1, 2)]})

    def test_reasons(self):
        rows = [(*list(row.values())[:5], counts(row["right"])) for row in self.total["reasons"]]
        self.assertEqual(rows, [("numeric", "UNSUPPORTED", "", 0, 2, (0, 2)),
                                ("date_time", "UNSUPPORTED", "superseded", 1, 0, (1, 1))])

    def test_another_grade_is_another_flag(self):
        result = measured(self.ROWS[:2], {"a honest": card(flag("45")),
                                          "a changed": card(flag("45", grade="CONTRADICTED"))})
        self.assertEqual(counts(result["total"]["caught"]), (1, 1))

    def test_flags_of_recipients_count(self):
        honest = card(flag("9"), recipients=[card(flag("8"))])
        changed = card(flag("9"), recipients=[card(flag("8")), card(flag("7"))])
        total = measured(self.ROWS[:2], {"a honest": honest, "a changed": changed})["total"]
        self.assertEqual([(row["on_error"], row["on_honest"]) for row in total["reasons"]], [(1, 2)])

    def test_without_twins(self):
        rows = [{"label": label, "call": call(summary)} for label, summary in (
            ("faithful", "a honest"), ("unfaithful", "c changed"), ("unfaithful", "b honest"))]
        result = measured(rows, self.CARDS, show=9)
        total = result["total"]
        self.assertEqual([counts(total[key]) for key, _ in evaluate.HEADLINES],
                         [(1, 1), (0, 0), (1, 2), (0, 0), (0, 1)])
        (row,) = total["reasons"]
        self.assertEqual((row["on_error"], row["on_honest"], counts(row["right"])), (None, 2, (0, 0)))
        self.assertEqual([row["id"] for row in result["examples"]["misses"]], ["line 3"])

    def test_one_label_alone(self):
        only = measured([line("a-f", "faithful", "a honest")], self.CARDS)["total"]
        self.assertEqual((only["kinds"], counts(only["flagged"])), ([], (0, 0)))
        only = measured([line("a-u", "unfaithful", "a changed")], self.CARDS)["total"]
        self.assertEqual((counts(only["false_alarms"]), only["checkable_claims"]), ((0, 0), None))


# ------------------------------------------------------------------------------- what comes from nowhere

class Nowhere(unittest.TestCase):

    SUMMARY = ("The table was booked by Ines for Friday, October 9 at 2:00 PM. The deposit is $20, and it is "
               "in room 204.")

    def row(self, summary, turns=TURNS, name="a-f"):
        with files([{"id": name, "label": "faithful", "call": call(summary, turns)}]) as (path,):
            return evaluate.load_labelled(path, "calls.jsonl")[0]

    def made(self, summary=SUMMARY, turns=TURNS, name="a-f"):
        return {one.kind: one for one in evaluate.foreign_calls(self.row(summary, turns, name))}

    def test_one_of_each_kind_in_its_place(self):
        made = self.made()
        self.assertEqual(list(made), ["time", "date", "weekday", "amount", "number", "name", "deed"])
        for kind, old in (("time", "2:00 PM"), ("date", "October 9"), ("weekday", "Friday"),
                          ("amount", "$20"), ("number", "204"), ("name", "Ines")):
            with self.subTest(kind):
                was, new = made[kind].change.split(" -> ")
                self.assertEqual(was, old)
                self.assertEqual(made[kind].call.summary, self.SUMMARY.replace(old, new, 1))
                self.assertNotIn(new.lower(), self.SUMMARY.lower())
        self.assertEqual(made["deed"].call.summary, f"{self.SUMMARY} {made['deed'].change}")

    def test_always_the_same_and_not_always_one(self):
        self.assertEqual({kind: one.change for kind, one in self.made().items()},
                         {kind: one.change for kind, one in self.made().items()})
        self.assertGreater(len({self.made(name=f"{n}-f")["name"].change for n in range(20)}), 5)

    def test_places(self):
        rows = [
            ("at 2:30 p.m. or 14 July", {"time": ["2:30 p.m"], "date": ["14 July"]}),
            ("for 15% in 2026, code 77-12, 3:45, 1,200, 5", {"number": ["15", "2026"]}),
            ("ring +1 555-0142 or room 12.", {"number": ["12"]}),
            ("Ines met Marta in May.", {}),                             # the first word; never heard; a month
            ("with Ines", {"name": ["Ines"]}),
        ]
        for summary, expected in rows:
            with self.subTest(summary):
                masked = evaluate.auditor.mask_pii(summary)
                places = evaluate.places_of(masked, "ines in may")
                found = {kind: [masked[slice(*span)] for span in spans] for kind, spans in places.items()}
                self.assertEqual(found, expected)

    def test_nothing_that_was_said_is_put_in(self):
        every = " ".join(evaluate.WEEKDAYS + evaluate.MONTHS + evaluate.SURNAMES + list(map(str, range(100))))
        said = every + " email refund courier account contract transfer complain order"
        self.assertEqual(self.made(turns=TURNS + [{"speaker": "callee", "text": said}]), {})

    def test_a_day_near_by_is_some_weekday(self):
        tomorrow = {"speaker": "callee", "text": "Tomorrow, then."}
        self.assertNotIn("weekday", self.made(turns=TURNS + [tomorrow]))

    def test_is_said(self):
        rows = [(42, "forty two", True), (42, "forty 2", True), (42, "four two", True), (42, "4 2", False),
                (30, "thirty", True), (13, "thirteen", True), (7, "17", False), (7, "7:30", True),
                (42, "fourteen", False)]
        for number, said, expected in rows:
            with self.subTest(number=number, said=said):
                self.assertEqual(evaluate.is_said(number, said), expected)

    def test_only_a_new_flag_counts(self):
        """A name and a deed can be put into this summary; the card flags the deed, and one thing always."""
        summary = "It was booked with Ines."

        def card_of_call(one, strict=False):
            return card(flag("9"), *[flag("deed", "action")] * one.summary.startswith(summary + " "))
        with files([line("a-f", "faithful", summary)]) as (path,), \
                mock.patch.object(evaluate, "card_of_call", card_of_call):
            nowhere = evaluate.evaluate([(path, "calls.jsonl")], nowhere=True, show=5)["nowhere"]
        rows = {row["kind"]: counts(row["flagged"]) for row in nowhere["kinds"]}
        self.assertEqual(rows, {**dict.fromkeys(evaluate.PLACES, (0, 0)), "name": (0, 1), "deed": (1, 1)})
        self.assertEqual(counts(nowhere["total"]), (1, 2))
        self.assertEqual([(row["at"], row["id"], row["kind"]) for row in nowhere["passed"]],
                         [("calls.jsonl:1", "a-f", "name")])


# ------------------------------------------------------------------------------------------- report

class Report(unittest.TestCase):

    def test_spread(self):
        self.assertEqual(evaluate.spread(list("abcdef"), 3), ["a", "c", "e"])
        self.assertEqual(evaluate.spread(list("ab"), 9), ["a", "b"])
        self.assertEqual(evaluate.spread([], 3), [])

    def test_text(self):
        with files(Figures.ROWS, [line("z", "faithful", "z")]) as paths, cards(Figures.CARDS):
            code, out, err = run(*paths)
        lines = [" ".join(text.split()) for text in out.splitlines()]
        self.assertEqual((code, err), (0, ""))
        for said in (
                "labelled calls: 6; honest summaries: 3; changed ones: 3, with their honest twin: 2",
                "false alarms on honest summaries 1/3 33.3 % (6 to 79)",
                "caught for the error itself 1/2 50.0 % (9 to 91)",
                "checkable claims in an honest summary: 2.0",
                "wrong_name - 1/1 100.0 % (21 to 100) -",
                "numeric UNSUPPORTED 0 2 0/2 0.0 % (0 to 66)",
                f"{paths[1]} 0/1 0.0 % (0 to 79) - - -"):
            with self.subTest(said):
                self.assertIn(said, lines)
        self.assertNotIn("passed:", out)

    def test_one_file_has_no_table_of_files(self):
        with files(Figures.ROWS) as (path,), cards(Figures.CARDS):
            self.assertNotIn(path, run(path)[1])

    def test_examples(self):
        rows = [line("a-f", "faithful", "Booked for two. Ring +1 555-0142."),
                line("a-u", "unfaithful", "Booked for three. Ring +1 555-0142.", kind="wrong_number",
                     note="two -> three, +1 555-0143")]
        wrong = {**flag("45", reason="superseded"), "quote": "No,\x1b[31m forty", "turn_index": 2,
                 "why": "was turned down"}
        honest, changed = (row["call"]["post_summary"] for row in rows)
        with files(rows) as (path,), cards({honest: card(wrong), changed: card(wrong, first=[[0, 6]])}):
            out = run(path, "--show", "1")[1]
        for said in (
                f"false alarm: {path}:1 a-f, UNSUPPORTED_CLAIMS\n"
                "    UNSUPPORTED numeric 45: was turned down\n"
                "        in: A sentence with 45.\n"
                "        turn 2: No, [31m forty\n",
                f"miss: {path}:2 a-u, wrong_number, UNSUPPORTED_CLAIMS\n    note: two -> three, ",
                "    honest: Booked for two. Ring #",
                "    changed: Booked for three. Ring #",
                "    check first: t (w)\n"):
            with self.subTest(said):
                self.assertIn(said, out)
        self.assertNotIn("555", out)
        self.assertNotIn("\x1b", out)

    def test_progress_on_a_terminal_only(self):
        with files(Figures.ROWS) as (path,), cards(Figures.CARDS):
            with mock.patch("time.monotonic", iter(range(1, 99)).__next__):
                code, out, err = run(path, terminal=True)
            self.assertIn("4 of 5 calls audited", err)
            self.assertTrue(err.endswith("\r\x1b[K"))
            self.assertEqual((code, out), run(path)[:2])


# ------------------------------------------------------------------------------------- command line

class CommandLine(unittest.TestCase):

    def test_json(self):
        with files(Figures.ROWS) as (path,), cards(Figures.CARDS):
            code, out, err = run(path, "--json")
            full = json.loads(run(path, "--json", "--nowhere", "--show", "1")[1])
        result = json.loads(out)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(list(result), ["auditor", "strict", "fields", "total", "files"])
        self.assertEqual(list(result["total"]),
                         ["honest", "changed", "twins", "false_alarms", "caught", "flagged", "found_first",
                          "nothing_checkable", "checkable_claims", "kinds", "reasons"])
        self.assertEqual(result["files"], [{"file": path, **result["total"]}])
        self.assertEqual(list(full)[5:], ["nowhere", "examples"])
        self.assertEqual({key: len(rows) for key, rows in full["examples"].items()},
                         {"false_alarms": 1, "misses": 1})
        self.assertEqual([row["kind"] for row in full["nowhere"]["kinds"]], [*evaluate.PLACES, "deed"])

    def test_options_reach_the_auditor(self):
        with files([line("a-f", "faithful", "Booked for tomorrow.")]) as (path,), \
                mock.patch.object(evaluate, "card_of_call", return_value=card()) as card_of_call:
            run(path, "--strict", "--call-date", "2026-10-14")
        one, strict = card_of_call.call_args[0]
        self.assertEqual((str(one.dates[0]), strict), ("2026-10-14", True))

    def test_fields(self):
        """With --fields the flags of fields count, by path and value, and those of the summary do not."""
        def told(name, label, summary, **fields):
            return {"id": name, "label": label, "kind": "price", "call": {
                "post_summary": summary, "transcript": TURNS, "structured_result": fields}}
        rows = [told("a-f", "faithful", "It costs $95.", price=20), told("a-u", "unfaithful", "", price=95),
                told("b-f", "faithful", "", price=95), told("b-u", "unfaithful", "", price=95, fee=20)]
        with files(rows) as paths:
            code, out, _ = run("--fields", "--json", "--show", 9, *paths)
            table = run("--fields", *paths)[1]
            self.assertEqual(run("--fields", "--nowhere", *paths)[0], 2)
        result = json.loads(out)
        total = result["total"]
        self.assertEqual([counts(total[key]) for key in ("false_alarms", "caught", "flagged", "found_first")],
                         [(1, 2), (1, 2), (2, 2), (0, 0)])
        self.assertEqual((code, result["fields"], total["reasons"][0]["on_error"]), (0, True, 1))
        self.assertEqual(result["examples"]["misses"][0]["changes"], [
            {"honest": "", "changed": "structured_result.fee = 20"}])
        self.assertIn("false alarms on honest records", table)

    def test_the_real_auditor(self):
        """The whole command on four tiny calls: a wrong hour is caught, an honest summary passes."""
        rows = [
            line("a-f", "faithful", "The table for four is booked for Friday at 2 p.m."),
            line("a-u", "unfaithful", "The table for four is booked for Friday at 5 p.m.", kind="wrong_time"),
            line("b-f", "faithful", "It costs twenty dollars."),
            line("b-u", "unfaithful", "It costs ninety dollars.", kind="wrong_number"),
        ]
        with files(rows) as (path,):
            done = subprocess.run([sys.executable, SCRIPT, path, "--json", "--nowhere"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        result = json.loads(done.stdout)
        self.assertEqual([counts(result["total"][key]) for key in ("false_alarms", "caught", "flagged")],
                         [(0, 2), (2, 2), (2, 2)])
        self.assertEqual({(row["kind"], row["grade"]) for row in result["total"]["reasons"]},
                         {("date_time", "UNSUPPORTED"), ("numeric", "UNSUPPORTED")})
        flagged = {row["kind"]: counts(row["flagged"]) for row in result["nowhere"]["kinds"]}
        self.assertEqual((flagged["time"], flagged["weekday"]), ((1, 1), (1, 1)))

    def test_labelled_fixtures_can_be_read(self):
        rows = [row for file in evaluate.labelled_files([]) for row in evaluate.load_labelled(*file)]
        ids = {(row.file, row.id) for row in rows}
        self.assertGreaterEqual(len(rows), 424)
        self.assertEqual([row.id for row in rows if evaluate.twin_id(row)
                          and (row.file, evaluate.twin_id(row)) not in ids], [])

    def test_closed_pipe(self):
        with files(Figures.ROWS) as (path,):
            done = subprocess.Popen([sys.executable, SCRIPT, path],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            done.stdout.close()
            said = done.stderr.read()
            done.stderr.close()
            self.assertEqual((done.wait(), said), (0, b""))


if __name__ == "__main__":
    unittest.main()
