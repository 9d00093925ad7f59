#!/usr/bin/env python3
"""Tests of the call summary auditor: one class a section, in the program's order, rows of data before code.

    python3 -m unittest discover scripts            all tests of the repository
    python3 scripts/test_post_summary_faithfulness_auditor.py

A row of the grading tables reads: summary says, call says, "value GRADE rule-or-reason; …". In a call, A: is
the agent, C: the callee. Beside a fabricated row stands an honest one. All people and numbers are invented.
"""
import ast
import contextlib
import datetime
import doctest
import glob
import gzip
import io
import itertools
import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
import unittest
from collections import namedtuple
from html.parser import HTMLParser
from unittest import mock
from xml.etree import ElementTree

import post_summary_faithfulness_auditor as auditor
from post_summary_faithfulness_auditor import RecordError, load_call_result, mask_pii, parse_record, read_call

PROGRAM = os.path.abspath(auditor.__file__)
ROOT = os.path.dirname(os.path.dirname(PROGRAM))
FIXTURES = os.path.join(ROOT, "fixtures")
CARDS = os.path.join(FIXTURES, "cards")
RECORDS = sorted(glob.glob(os.path.join(FIXTURES, "*.json")))
POSIX = os.name == "posix"

# ------------------------------------------------------------------------------------------- helpers


def load_tests(loader, tests, pattern):
    """The examples in the program's docstrings are tests too."""
    tests.addTests(doctest.DocTestSuite(auditor))
    return tests


def fixture(name):
    return os.path.join(FIXTURES, name + ".json")


def turns(said):
    """Turns of "A: Four? / C: Yes."; lower-case letters name the other speaker, "x: …"."""
    names = {"A": "agent", "C": "callee", "x": "unknown"}
    return [{"speaker": names[one[0]], "text": one[3:]} for one in said.split(" / ")]


def audit(summary, said, **options):
    return auditor.analyze(turns(said) if isinstance(said, str) else said, summary, **options)


def claims(summary, **options):
    """The claims of a summary as (kind, value)."""
    return [(claim.kind, claim.value) for claim in auditor.decompose_claims(mask_pii(summary), **options)]


def mentions(said, dates=(), day_first=False):
    """What is read in a text: "4 person; oct 14; 14:00"."""
    text = auditor.Text(said, dates, day_first)
    return "; ".join(f"{m.value} {m.unit or ''}".strip() for m in auditor.scan(text))


def values(said, dates=(), day_first=False):
    """The canonical values that are read in a text, without units."""
    text = auditor.Text(said, dates, day_first)
    return "; ".join(m.value for m in auditor.scan(text))


def run(*argv, stdin=b"", cwd=None):
    """(exit code, standard output, standard error) of a command, in this process."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    source = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    before = os.getcwd()
    with mock.patch("sys.stdin", source), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            os.chdir(cwd or before)
            code = auditor.main(list(argv))
        except SystemExit as leaving:               # argparse: usage, --help, --version
            code = leaving.code
        finally:
            os.chdir(before)
    out.flush()
    return code, out.buffer.getvalue().decode("utf-8"), err.getvalue()


def spawn(*argv, stdin=b"", cwd=None, program=(PROGRAM,), **environment):
    """(exit code, standard output, standard error), bytes, of a command as a process of its own."""
    done = subprocess.run([sys.executable, *program, *argv], input=stdin, cwd=cwd, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


class Graded(unittest.TestCase):
    """What the tables of gradings need.

    FLAGGED is either flag, UNFLAGGED neither of them: where the design leaves open which grade it is.
    """
    ITEM = re.compile("(.+?) (SUPPORTED|UNSUPPORTED|CONTRADICTED|UNDECIDED|UNCHECKED|FLAGGED|UNFLAGGED)"
                      r"(?: (\w+))?")

    def grades(self, card, expected):
        """What a card says of the values that an expectation names; a bare word asks for the verdict."""
        said = []
        for item in expected.split("; "):
            asked = self.ITEM.fullmatch(item)
            if not asked:
                said.append(card["verdict"])
                continue
            row = next((row for row in card["claims"] if row["value"] == asked[1]), None)
            if row is None:
                said.append(f"no {asked[1]} in {[one['value'] for one in card['claims']]}")
                continue
            if asked[2] in ("FLAGGED", "UNFLAGGED"):
                flagged = row["grade"] in ("UNSUPPORTED", "CONTRADICTED")
                said.append(f"{row['value']} " + ("FLAGGED" if flagged else "UNFLAGGED"))
                continue
            why = row.get("rule") if row["grade"] == "SUPPORTED" else row.get("reason") if asked[3] else None
            said.append(" ".join(filter(None, [row["value"], row["grade"] or "UNCHECKED", why])))
        return "; ".join(said)

    def check(self, table, **options):
        for summary, said, expected in table:
            with self.subTest(summary=summary, call=said):
                self.assertEqual(self.grades(audit(summary, said, **options), expected), expected)


def grows_linearly(work, small, large):
    """Does work(large) take no more than twice as long as work(small) for its length, on any machine?

    What takes a fifth of a second at most is quick enough; a disturbed measurement is made again.
    """
    def cost(text):
        start = time.process_time()
        work(text)
        return time.process_time() - start
    for _ in range(3):
        spent = cost(large)
        if spent < .2 or spent < 2 * len(large) / len(small) * cost(small):
            return True
    return False


class Files(unittest.TestCase):
    """What tests with files need: a folder of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="auditor_")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        if not isinstance(content, (bytes, str)):
            content = json.dumps(content)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()


def record(summary, said, **fields):
    return {"call_id": "call_test", "post_summary": summary, "transcript": turns(said), **fields}


DAY = datetime.date(2026, 1, 2)
TURNS = [{"speaker": "agent", "text": "Four?"}, {"speaker": "callee", "text": "Yes."}]
SAID = [(0, "agent", "Four?"), (1, "callee", "Yes.")]

# ------------------------------------------------------------------------------------------- lexicon


class Lexicon(unittest.TestCase):
    """Every surface is read back to its own value, and belongs to one row of its table."""

    def each(self, table, phrase, expected):
        """Read every surface of a table inside a phrase back to its value."""
        for surface, value in table.items():
            with self.subTest(surface=surface):
                self.assertEqual(values(phrase.format(surface)), expected(value))

    def test_numbers(self):
        self.each({word: n for word, n in auditor.CARDINALS.items() if n}, "order {} bricks", str)
        self.each({word: n for word, n in auditor.ORDINALS.items() if n}, "the {} floor", str)
        scales = {word: n for word, n in auditor.SCALES.items() if len(word) > 3}
        self.each(scales, "three {} bricks", lambda scale: str(3 * scale))
        self.each(auditor.REPEATS, "the code is two {} four nine", lambda times: "2" + "4" * times + "9")
        self.each(auditor.COLLECTIVES, "a {} of plums", str)

    def test_months(self):
        self.each(auditor.MONTHS, "on {} 14", "{} 14".format)
        self.each(auditor.MONTHS, "on the 14th of {}", "{} 14".format)

    def test_weekdays(self):
        self.each(auditor.WEEKDAYS, "on {} at noon", "{}; 12:00".format)

    def test_clock_words(self):
        self.each(auditor.CLOCK_WORDS, "at {}", str)

    def test_halves_of_the_day(self):
        hours = {"am": "09:00", "pm": "21:00", "night": "21:00"}
        for surface, half in auditor.DAY_PARTS.items():
            if surface not in ("tonight", "dinner", "supper"):      # a day as well; said with "for"
                joint = " " if surface[-1] == "m" and len(surface) < 4 else " in the "
                with self.subTest(surface=surface):
                    self.assertEqual(values("at 9" + joint + surface), hours[half])

    def test_units(self):
        for surface, unit in auditor.UNITS.items():
            if surface in ("second", "party", "group", "pound", "pounds"):      # ordinals, heads, money
                continue
            with self.subTest(surface=surface):
                self.assertEqual(mentions("it is 4 " + surface), "4 " + unit)

    def test_currencies(self):
        for surface, currency in auditor.CURRENCIES.items():
            with self.subTest(surface=surface):
                said = "costs {}4" if len(surface) == 1 else "costs 4 {}"
                sign = {"\xa4": "\u20ac", "\xa6": "\u20b9"}.get(surface, surface)
                if surface != "won":                                            # "4 won" may be a score
                    self.assertEqual(mentions(said.format(sign)), "4 " + currency)

    def test_surfaces_of_values_belong_to_one_row(self):
        for name in ("MONTHS", "WEEKDAYS", "DAY_PARTS", "CURRENCIES"):
            with self.subTest(name):
                self.assertTrue(getattr(auditor, name))
        said = [surface for row in auditor.UNITS_TABLE.replace("\\\n", "").strip().split("\n")
                for surface in row.split(": ")[1].split(", ")]
        self.assertEqual(len(said), len(set(said)))


# ------------------------------------------------------------------------------------ lexicon: speech


def grammar_classes():
    """class of GRAMMAR_TABLE -> its words."""
    found = {}
    for row in auditor.GRAMMAR_TABLE.strip().split("\n"):
        heads, said = row.split(": ")
        for head in heads.split():
            found.setdefault(head, []).extend(said.split())
    return found


def phrase_rows():
    """[(row name, scope, phrases)] of both tables."""
    rows = [row.split(": ", 1) for row in auditor.SAID_TABLE.strip().split("\n")]
    rows = [(*head.rsplit(" ", 1), said) for head, said in rows]
    for row in auditor.DEEDS_TABLE.strip().split("\n"):
        head, said = row.split(": ", 1)
        rows.append((head.rsplit(" ", 2)[0], "=", said.partition(" | ")[0]))
    return rows


def wordings(phrase, classes):
    """Wordings of a phrase of the tables: every alternative once, with and without what may be left out."""
    items = []
    for item in phrase.split():
        ways = [classes.get(way[1:], [way])[0] if way[0] == "@" else way.strip("~$")
                for way in item.rstrip("?").split("|")]
        items.append((ways, item[-1] == "?"))
    most = max((len(ways) for ways, _ in items), default=0)
    return {" ".join(filter(None, [ways[n % len(ways)] for ways, spare in items if whole or not spare]))
            for n in range(most) for whole in (True, False)} - {""}


def read_rows(said):
    """The rows that are read in a text: acts, deeds and voices by name, colours of its deeds as ">name"."""
    acts = auditor.acts_of(auditor.Text(said))
    found = {act.does for act in acts.acts + acts.deeds} | {voice.does for voice in acts.voices}
    return found | {">" + colour for act in acts.deeds for colour in act.colours}


CLASS_ROWS = [                  # class of grammar, example, near miss, the example's row; None: content
    ("not", "They never cancelled it.", "They nearly cancelled it.", ">not"),
    ("cant", "They couldn't cancel it.", "They could cancel it.", ">not"),
    ("dont", "Don't count on that.", "Do count on that.", "open"),
    ("isnt", "It isn't available.", "It is available.", "gone"),
    ("havent", "They haven't cancelled it.", "They have cancelled it.", ">not"),
    ("me", "Well, we accept.", "Well, strangers accept.", "yes"),
    ("my", "I'll change my mind.", "I'll change five minds.", "no"),
    ("you", "Could you?", "Could Olga?", None),
    ("your", "Is it your own?", "Is it Olga's own?", None),
    ("they", "Have they?", "Have bricks?", None),
    ("their", "Please remove their number.", "Please remove seven numbers.", "opt-out"),
    ("that", "That suits.", "Blue suits.", "yes"),
    ("the", "Is the?", "Is cheese?", None),
    ("some", "Any others?", "Any mothers?", None),
    ("be", "It was declined.", "It has declined.", "fail"),
    ("have", "I have made it.", "I cave made it.", "done"),
    ("do", "I do.", "I dig.", "yes"),
    ("would", "Would it?", "Wood it?", None),
    ("will", "They'll cancel it.", "They cancel it.", ">will"),
    ("can", "They can cancel it.", "They cancel it.", ">maybe"),
    ("may", "I might come.", "I did come.", "open"),
    ("wh", "What is it?", "Cheese is it?", "wh"),
    ("if", "If it rains he cancels.", "It rains and he cancels.", ">if"),
    ("stop", "Although whereas until.", "Although meadows until.", None),
    ("filler", "Please don't really count on it.", "Please don't rudely count on it.", "open"),
    ("to", "To it.", "Toad it.", None),
    ("near", "From within.", "From Whitby.", None),
    ("go", "Gone, given, took.", "Gone, graven, took.", None),
]
SAID_ROWS = [                   # row of SAID_TABLE and its scope, example, near miss
    ("yes ^", "Yes, of course.", "He said yes of late."),
    ("yes ^", "That's right, go ahead.", "That's left, ahead of us."),
    ("ok ^", "Okay, got it.", "It's an okay place."),
    ("ok ^", "Cheers, bye.", "He cheers loudly."),
    ("close ^", "No, that's all.", "All of that."),
    ("yes .", "Well, let's do it.", "Well, let it lie."),
    ("yes .", "Tuesday works for me.", "Tuesday the works begin."),
    ("no ^", "No, sorry.", "There is no kiln."),
    ("no ^", "Nope.", "Hope."),
    ("no .", "I'm afraid I can't make it.", "I'm glad I can make it."),
    ("no .", "Please call it off.", "Please call it in."),
    ("open ^", "Maybe.", "May Day."),
    ("open .", "I'm not sure yet.", "I'm quite sure."),
    ("open .", "I need to think.", "I need to paint."),
    ("open .", "Let me check with Olga.", "Let Olga in."),
    ("gone .", "The noon slot is taken.", "The noon slot is free."),
    ("gone .", "We're sold out.", "We're selling bread."),
    ("fail .", "It was rejected.", "It was written."),
    ("fail .", "An error came up.", "A heron came up."),
    ("close .", "I don't need anything.", "I need anything blue."),
    ("none .", "See you later.", "They see the lake."),
    ("fix .", "Sorry, make it five.", "They make jam, five jars."),
    ("fix .", "Scratch that.", "Scratch it."),
    ("done .", "You're all set.", "You're all wet."),
    ("done .", "It's on its way.", "It's in its bag."),
    ("done .", "He's down for noon.", "He's near for noon."),
    ("else .", "Anything else?", "Anything blue?"),
    ("wh ^", "When is it?", "Then is it?"),
    ("offer ^", "Would you like tea?", "They like tea."),
    ("instead >", "Instead of the lamp they cancelled.", "In bed they cancelled."),
    ("must >", "They must cancel.", "They mustered, they cancel."),
    ("not >", "They did not cancel.", "They did then cancel."),
    ("if >", "Unless they cancel.", "Until now they sang. They cancel."),
    ("wish >", "She asked to cancel.", "She came to cancel."),
    ("will >", "They are going to cancel.", "They are gone to cancel."),
    ("recorded *", "Please leave a message after the tone.", "Please leave the kiln."),
    ("recorded *", "For billing, press two.", "Pressed flowers, two of them."),
    ("reached *", "You've reached Elm Clinic.", "We've preached at Elm Clinic."),
    ("human *", "How can I help you?", "How did you help me?"),
    ("why >", "Because it rained they cancelled.", "Bees came and they cancelled."),
    ("maybe >", "They may cancel.", "They cancel in May."),
]
DEED_ROWS = [                   # root of DEEDS_TABLE, example, near miss
    ("confirm", "She confirmed the visit.", "She formed the visit."),
    ("accept", "He agreed to it.", "He argued about it."),
    ("book", "A table was reserved.", "A table was rescued."),
    ("reschedule", "It was postponed.", "It was posed."),
    ("complete", "It has been finalised.", "It has been fine."),
    ("waive", "The fee was waived.", "The flag was waved."),
    ("pay", "The rent was paid.", "The rent was raised."),
    ("cancel", "They called it off.", "They called on it."),
    ("decline", "He turned it down.", "He turned the page down."),
    ("fail", "The upload failed.", "The upload felled it."),
    ("unavailable", "The lamp is sold out.", "The lamp is sold."),
    ("voicemail", "It went to voicemail.", "It went by mail."),
    ("no-answer", "Nobody answered.", "Somebody answered."),
    ("opt-out", "He asked not to be called again.", "He asked to be called again."),
    ("wrong-number", "It was the wrong number.", "It was the wrong lamp."),
    ("email", "They will email it.", "They will frame it."),
    ("mail", "It comes by post.", "It comes by the gatepost."),
    ("text", "They will text it.", "They will test it."),
    ("send", "It was forwarded.", "It was fortified."),
    ("call back", "He will phone back.", "He will sit back."),
    ("follow up", "She will follow up.", "She will fold up."),
    ("contact", "They will get in touch, they will be in touch.", "They will touch it."),
    ("transfer", "They put him through to billing.", "They put him near billing."),
    ("refund", "They will reimburse her.", "They will rehearse it."),
    ("ship", "It was dispatched.", "It was displayed."),
    ("deliver", "They will drop off the rug.", "They will drop the rug."),
    ("collect", "He will pick up the rug.", "He will pick a rug."),
    ("update", "They amended the address.", "They mended the address."),
    ("notify", "They will inform him.", "They will uniform him."),
    ("ask", "She will ask Lev.", "She will tell Lev."),
    ("check", "They will look into it.", "They will look at it."),
    ("provide", "They issued a pass.", "They tissued a pass."),
    ("visit", "The smith will stop by.", "The smith will stop."),
    ("file", "A claim was lodged.", "A clam was dislodged."),
    ("charge", "The card was charged.", "The card was changed."),
    ("reset", "They restarted the hub.", "They started the hub."),
    ("refer", "He was referred on.", "He was preferred on."),
    ("block", "The card was frozen.", "The peas were thawed."),
    ("unlock", "The account was reinstated.", "The account was stated."),
    ("upload", "They attached a photo.", "They detached a photo."),
    ("hold", "They will set aside a lamp.", "They will set a lamp."),
    ("add", "They included a lid.", "They concluded it."),
    ("order", "They reordered lids.", "They recorded lids."),
    ("replace", "They swapped the hub.", "They swept the hub."),
    ("repair", "They mended the hub.", "They tended the hub."),
    ("install", "They installed the hub.", "They stalled the hub."),
    ("upgrade", "They upgraded the room.", "They graded the room."),
    ("renew", "They extended the lease.", "They tended the lease."),
    ("sign", "She signed the lease.", "She sighed at the lease."),
    ("apply", "They applied the coupon.", "They rippled the coupon."),
    ("assign", "They allocated a smith.", "They located a smith."),
    ("note", "She noted the smell.", "She did not smell it."),
    ("deduct", "They deducted the fee.", "They detected the fee."),
    ("remove", "They deleted the file.", "They deflated the tyre."),
    ("record", "They recorded the reading.", "They reread the reading."),
    ("print", "They printed the pass.", "They pointed at the pass."),
    ("release", "They released the funds.", "They leased the funds."),
    ("switch", "They converted the plan.", "They covered the plan."),
    ("mark", "They flagged the file.", "They flogged the file."),
]


PHRASES_OF_TWO = {              # what stands in two rows of one kind on purpose: a yes is an okay as well
    ("yes", "ok"),
}


class Phrases(unittest.TestCase):
    """The tables of speech and deeds: each class, row and phrase is read, and a phrase belongs to one row."""

    def phrases(self):
        """(row, scope, one wording) of every phrase of both tables."""
        classes = grammar_classes()
        for name, scope, said in phrase_rows():
            for phrase in said.split(","):
                for wording in sorted(wordings(phrase, classes)):
                    yield name, scope, wording

    def test_every_class_exists(self):
        named = {name for *_, said in phrase_rows() for name in re.findall(r"@(\w+)", said)}
        self.assertEqual(named - set(grammar_classes()), set())

    def test_no_phrase_is_empty(self):
        for name, _, said in phrase_rows():
            with self.subTest(name):
                self.assertNotIn("", [phrase.strip() for phrase in said.split(",")])

    def test_phrases_belong_to_one_row(self):
        rows = {}
        for name, scope, wording in self.phrases():
            rows.setdefault((scope.replace(".", "^"), wording), set()).add(name)
        for (scope, wording), names in rows.items():
            if not any(names <= set(pair) for pair in PHRASES_OF_TWO):
                with self.subTest(wording, scope=scope):
                    self.assertEqual(len(names), 1, names)

    def test_phrases_are_read_back(self):
        for name, scope, wording in self.phrases():
            said = wording + " cancelled" if scope == ">" else wording
            if any({name, "yes"} <= set(pair) for pair in PHRASES_OF_TWO):
                continue
            with self.subTest(wording, row=name, scope=scope):
                self.assertIn(">" + name if scope == ">" else name, read_rows(said))

    def test_classes(self):
        """An example of each class has its row, or no content; the near miss has not, or some."""
        self.assertEqual({name for name, *_ in CLASS_ROWS}, set(grammar_classes()))
        for name, example, near, row in CLASS_ROWS:
            with self.subTest(name):
                if row is None:
                    texts = map(auditor.Text, (example, near))
                    found = [auditor.content(text, 0, text.size) for text in texts]
                    self.assertEqual(list(map(bool, found)), [False, True], found)
                else:
                    self.assertIn(row, read_rows(example))
                    self.assertNotIn(row, read_rows(near))

    def test_no_word_of_grammar_is_content(self):
        for word in auditor.CLASSES:
            with self.subTest(word):
                self.assertEqual(auditor.content(auditor.Text(word), 0, 1), {})

    def test_rows_of_speech(self):
        heads = {f"{name} {scope}" for name, scope, _ in phrase_rows() if scope != "="}
        self.assertEqual({head for head, *_ in SAID_ROWS}, heads)
        for head, example, near in SAID_ROWS:
            name, scope = head.split()
            with self.subTest(head, example=example):
                self.assertIn(">" + name if scope == ">" else name, read_rows(example))
                self.assertNotIn(">" + name if scope == ">" else name, read_rows(near))

    def test_rows_of_deeds(self):
        read_rows("")                                       # the table is read with the first text
        self.assertEqual({root for root, *_ in DEED_ROWS}, set(auditor.DEEDS))
        for root, example, near in DEED_ROWS:
            with self.subTest(root):
                self.assertIn(root, read_rows(example))
                self.assertNotIn(root, read_rows(near))

    def test_a_filler_passes_inside_a_phrase_and_no_other_word(self):
        for said, row in (("don't {} count on it", "open"), ("would you {} like tea", "offer"),
                          ("it is fully {} booked", "gone"), ("please call it {} off", "no")):
            for filler in ("really", "just", "actually", "please"):
                with self.subTest(said, filler=filler):
                    self.assertIn(row, read_rows(said.format(filler)))
        self.assertNotIn("open", read_rows("don't bloody count on it"))

    def test_a_stop_and_a_full_stop_end_what_colours(self):
        for said in ("If it rains, but they cancelled.", "It never rained so they cancelled.",
                     "Unless it rains. They cancelled."):
            with self.subTest(said):
                self.assertTrue(read_rows(said).isdisjoint([">if", ">not"]))
        self.assertIn(">if", read_rows("If it rains they cancelled."))

    def test_and_carries_on_what_coloured(self):
        self.assertIn(">not", read_rows("They did not call and cancel."))
        self.assertNotIn(">not", read_rows("They did not call and she cancelled."))

    def test_stems(self):
        for words in ("book booked booking bookings", "apply applied applies applying", "send sent sending",
                      "supply supplied supplies", "reply replied replies", "pay paid paying pays",
                      "deliver delivered delivery deliveries", "plan planned planning", "waive waived waives",
                      "confirm confirmation confirmed"):
            with self.subTest(words):
                self.assertEqual(len(set(map(auditor.stem, words.split()))), 1)
        for pair in ("note not", "pay play", "form firm", "mail mall", "send sand"):
            with self.subTest(pair):
                self.assertEqual(len(set(map(auditor.stem, pair.split()))), 2)

    def test_no_name_of_the_file_is_bound_twice(self):
        with open(PROGRAM, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        bound = []
        for node in tree.body:
            bound += [node.name] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else [
                name.id for target in getattr(node, "targets", ()) for name in ast.walk(target)
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)]
        self.assertEqual({name for name in bound if bound.count(name) > 1 and name[0] != "_"}, set())


# ---------------------------------------------------------------------------------------------- load


def spoken(call):
    """Turns as (index, speaker, text)."""
    return [(turn.index, turn.speaker, turn.text) for turn in call.turns]


def initials_of(transcript):
    """Initials of the speakers of a transcript: a, c, o."""
    return "".join(turn.speaker[0] for turn in read_call({"transcript": transcript}, "x").turns)


def texts_of(transcript):
    return [turn.text for turn in read_call({"transcript": transcript}, "x").turns]


# ---- The shapes of platforms: call id, dates, speakers, how the summary begins ----

SHAPES = {
    "app_list": ("app-piano-tuner", "", "acacacac", "The piano tuning"),
    "batch_row": ("run_maples", "2026-05-12", "acacaca", "The nursery"),
    "bland": ("bland-stony-brook", "2026-07-20", "cacaca", "Site 27"),
    "calle_api_task": ("call_delgado", "2026-10-20", "caaacacoaca", "The shop"),
    "calle_cli": ("call_poodle", "2026-08-05", "acacaca", "The poodle"),
    "calle_content_only": ("call_quickstep", "", "acacaca", "The truck"),
    "calle_mcp_string": ("call_kiln_house", "2026-11-10", "caaaccacacca", "Jonas Abel"),
    "calle_sdk": ("call_italian", "2026-12-01 2026-12-02", "acacaca", "The evening"),
    "calle_webhook": ("call_bramble", "2026-01-20", "cacacaca", "The repair"),
    "elevenlabs": ("conv_corner_frame", "2026-07-02", "acacaca", "The balance"),
    "livekit": ("room_seaside", "2026-08-06 2026-08-05", "cacaca", None),
    "plain_text": ("plain-willow-inn", "", "a", "Late checkout"),
    "retell": ("retell_larkspur", "2026-06-17", "acaaccacac", "Femi"),
    "synthflow": ("synth-hofer", "2026-02-24", "acacaca", None),
    "vapi": ("vapi-call-evenlawn", "2026-04-27", "acacacac", "Colette"),
}


class LoadShapes(unittest.TestCase):
    """Each platform's shape loads with no option."""

    def test_every_shape(self):
        for name, (call_id, dates, initials, begins) in SHAPES.items():
            with self.subTest(name):
                call = load_call_result(fixture("shape_" + name))
                self.assertEqual(call.call_id, call_id)
                self.assertEqual(" ".join(map(str, call.dates)), dates)
                self.assertEqual("".join(turn.speaker[0] for turn in call.turns), initials)
                self.assertFalse(call.summary if begins is None else not call.summary.startswith(begins))

    def test_no_shape_is_forgotten(self):
        self.assertEqual({"shape_" + name for name in SHAPES}, {
            os.path.basename(path)[:-5] for path in RECORDS if "shape_" in path})

    def test_system_and_tool_turns_are_passed_over(self):
        rows = [("shape_vapi", [1, 2, 3, 4, 7, 8, 9, 10]), ("shape_elevenlabs", [0, 1, 2, 3, 6, 7, 8])]
        for name, indices in rows:
            with self.subTest(name):
                self.assertEqual([turn.index for turn in load_call_result(fixture(name)).turns], indices)

    def test_planned_words_are_not_spoken(self):
        words = " ".join(turn.text for turn in load_call_result(fixture("shape_elevenlabs")).turns)
        self.assertNotIn("15", words)
        self.assertNotIn("fifteen", words)

    def test_call_in_progress(self):
        self.assertEqual(load_call_result(fixture("in_progress")).warnings,
                         ("call_not_ended", "transcript_missing"))

    def test_recipients(self):
        call = load_call_result(fixture("several_recipients"))
        self.assertEqual([(one.call_id, len(one.turns), one.summary is None) for one in call.recipients],
                         [("rcp_porch_1", 6, False), ("rcp_porch_2", 6, False), ("rcp_porch_3", 0, True)])
        self.assertEqual([turn.index for turn in call.turns], list(range(12)))
        self.assertEqual(call.facts["no-answer"], "failure_code=no_answer")


# ---- Summaries: record, summary ----

SUMMARIES = [
    ({"post_summary": "a", "result": {"summary": "b"}}, "a"),
    ({"summary": "a", "result": {"summary": "b"}}, "b"),
    ({"summary": "a", "result": {"post_summary": "b"}}, "b"),
    ({"post_summary": None, "summary": "a"}, "a"),
    ({"post_summary": " \n", "summary": "a"}, "a"),
    ({"post_summary": None, "transcript": TURNS}, None),
    ({"post_summary": ""}, None),
    ({"summary": None}, None),
    ({"message": "Run finished.", "result": {"summary": "b"}}, "b"),
    ({"message": "Run finished.", "result": {"summary": None, "transcript": TURNS}}, None),
    ({"message": "Run finished.", "transcript": TURNS}, None),
    ({"message": "Call run status: COMPLETED.", "transcript": TURNS}, None),
    ({"message": "Booked for Friday.", "transcript": TURNS}, "Booked for Friday."),
    ({"call_analysis": {"call_summary": "a"}, "transcript": ""}, "a"),
    ({"analysis": {"summary": ""}, "summary": "a"}, "a"),
    ({"data": {"analysis": {"transcript_summary": "a\n"}}}, "a\n"),
    ({"transcript": {"sentences": [], "summary": {"overview": "a", "action_items": "b"}}}, "a"),
    ({"summary": "a", "recipients": [{"summary": "b", "attempts": [{"summary": "c"}]}]}, "a"),
    ({"summary": None, "recipients": [{"summary": "b", "attempts": [{"summary": "c"}]}]}, "b"),
    ({"recipients": [{"summary": None, "attempts": [{"summary": "c"}, {"summary": "d"}]}]}, "d"),
    ({"status_result": None, "result": {"structuredContent": {"result": {"summary": "a"}}}}, "a"),
    ({"run_result": {"summary": "decoy"}, "result": {"summary": "a"}}, "a"),
    ({"final_result": {"structured_content": {"post_summary": "inner"}}, "post_summary": "row"}, "row"),
    ({"final_result": {"structured_content": {"post_summary": "inner"}}, "post_summary": None}, "inner"),
    ({"result": {"structured_content": None, "data": {"summary": "a"}}}, "a"),
    ({"result": {"content": [{"type": "text", "text": "[1]"}, {"text": '{"summary": "a"}'}]}}, "a"),
    ({"content": [{"type": "text", "text": '{"summary": "b"}'}], "structuredContent": {"summary": "a"}}, "a"),
    ({"call": {"call": {"call": {"summary": "deep"}}}}, "deep"),
]

IDS = [
    ({"call_id": "a", "id": "b", "run_id": "c", "summary": ""}, "a"),
    ({"id": "b", "run_id": "c", "summary": ""}, "b"),
    ({"run_id": "c", "summary": ""}, "c"),
    ({"run_id": "c", "result": {"call_id": "a", "summary": ""}}, "a"),
    ({"jsonrpc": "2.0", "id": "poll", "result": {"run_id": "c", "summary": ""}}, "c"),
    ({"jsonrpc": "2.0", "id": "poll", "result": {"summary": ""}}, None),
    ({"id": "evt", "type": "call.completed", "data": {"id": "call", "summary": ""}}, "call"),
    ({"message": {"call": {"id": "v"}, "analysis": {"summary": "a"}}}, "v"),
    ({"id": "case", "call": {"run_id": "r", "result": {"summary": "a"}}}, "r"),
    ({"id": "task", "summary": "a", "recipients": [{"id": "rcp", "attempts": [{"id": "att"}]}]}, "task"),
    ({"id": "task", "summary": None, "recipients": [{"id": "rcp", "summary": "b"}]}, "task"),
    ({"id": "evt", "data": {"id": "task", "summary": None, "recipients": [{"id": "r", "attempts": []}]}},
     "task"),
    ({"run_id": "row", "post_summary": None, "final_result": {"structured_content": {"run_id": "r",
                                                                                    "summary": "a"}}}, "r"),
    ({"id": 17, "summary": "a"}, "17"),
    ({"id": True, "summary": "a"}, None),
    ({"id": ["x"], "run_id": {}, "summary": "a"}, None),
]


class LoadFields(unittest.TestCase):
    """Summary, id, facts, language: where they stand in a record of whatever platform."""

    def test_summaries(self):
        for record, summary in SUMMARIES:
            with self.subTest(record=record):
                self.assertEqual(read_call(record, "x").summary, summary)

    def test_ids(self):
        for record, call_id in IDS:
            with self.subTest(record=record):
                self.assertEqual(read_call(record, "x").call_id, call_id)

    def test_facts_and_warnings(self):
        rows = [
            ({"status": "NO ANSWER"}, {"no-answer"}, False),
            ({"status": "VOICEMAIL"}, {"voicemail"}, False),
            ({"status": "BUSY"}, {"busy"}, False),
            ({"status": "CANCELED"}, {"cancelled"}, False),
            ({"status": "DECLINED"}, {"declined"}, False),
            ({"status": "failed", "recipients": []}, {"failed"}, False),
            ({"status": "QUEUED"}, set(), True),
            ({"status": "in-progress"}, set(), True),
            ({"status": "in_progress", "extracted": {"calling": {"status": "finished"}}}, set(), True),
            ({"call_status": "not_connected", "transcript": ""}, {"failed"}, False),
            ({"endedReason": "customer-did-not-answer", "transcript": ""}, {"no-answer"}, False),
            ({"endedReason": "assistant-ended-call", "transcript": ""}, set(), False),
            ({"disconnection_reason": "voicemail_reached", "transcript": ""}, {"voicemail"}, False),
            ({"disconnection_reason": "agent_hangup", "call_analysis": {"in_voicemail": True},
              "transcript": ""}, {"voicemail"}, False),
            ({"call_analysis": {"in_voicemail": False}, "transcript": ""}, set(), False),
            ({"answered_by": "human", "transcript": ""}, {"human"}, False),
            ({"answered_by": "machine_end_beep", "transcript": ""}, {"voicemail"}, False),
            ({"answered_by": None, "transcript": ""}, set(), False),
        ]
        for record, facts, running in rows:
            with self.subTest(record=record):
                call = read_call(record, "x")
                self.assertEqual(set(call.facts), facts)
                self.assertEqual("call_not_ended" in call.warnings, running)
                self.assertIn("transcript_missing", call.warnings)

    def test_only_the_last_attempt_tells_how_it_ended(self):
        attempts = [{"failure_code": "no_answer", "transcript_turns": []}, {"transcript_turns": TURNS}]
        self.assertEqual(read_call({"recipients": [{"attempts": attempts}]}, "x").facts, {})
        call = read_call({"recipients": [{"attempts": attempts[:1]}]}, "x")
        self.assertEqual(set(call.facts), {"no-answer"})

    def test_language_and_day_first(self):
        rows = [
            ({"locale": "en-GB"}, "en-gb", True), ({"locale": "en_AU"}, "en-au", True),
            ({"locale": "en-US"}, "en-us", False), ({"locale": "en-CA"}, "en-ca", False),
            ({"locale": "de-DE"}, "de-de", True), ({"language": "German"}, "german", True),
            ({"language": "English"}, "english", False),
            ({"language": "English", "region": "GB"}, "english", True),
            ({"language": "English", "region": "US"}, "english", False), ({"region": "FR"}, None, True),
            ({"request_data": {"language": "ENG"}}, "eng", False),
            ({"metadata": {"main_language": "fr"}}, "fr", True), ({"locale": "ja-JP"}, "ja-jp", False),
            ({"locale": None}, None, False), ({"language": 5}, None, False),
            ({"language": "multi"}, None, False),
            ({"recipients": [{"locale": "en-IE", "attempts": []}]}, "en-ie", True),
            ({"transcript": {"language": "es", "turns": TURNS}}, "es", True),
        ]
        for record, language, day_first in rows:
            with self.subTest(record=record):
                call = read_call({"summary": "a", **record}, "x")
                self.assertEqual((call.language, call.day_first), (language, day_first))


class LoadDates(unittest.TestCase):
    """The dates on which a call can have started."""

    def dates(self, default=None, **record):
        return " ".join(str(day)[5:] for day in read_call({"summary": "a", **record}, "x", default).dates)

    def test_moments(self):
        rows = [
            ("2026-10-14T03:00:00Z", "10-14 10-13"), ("2026-10-14T15:00:00Z", "10-14"),
            ("2026-10-14T23:00:00.123456Z", "10-14 10-15"),
            ("2026-10-13T23:30:00.000-05:00", "10-13"), ("2026-10-13T23:30:00+0530", "10-13"),
            ("2026-10-13T23:30:00+00:00", "10-13"), ("2026-10-13 23:30:00", "10-13"), ("2026-10-13", "10-13"),
            ("2026-10-13T23:30:00 UTC", "10-13 10-14"), (1791331200, "10-07 10-06"),
            (1791331200000, "10-07 10-06"),
            ("1791331200", "10-07 10-06"), (1791331200.5, "10-07 10-06"), (1791331200000000, "10-07 10-06"),
            ("2026-13-01", ""), ("soon", ""), ("", ""), (0, ""), (-5, ""), (True, ""), ([], ""), ({}, ""),
            ("2026-02-30T10:00:00Z", ""), (1e300, ""), (float("nan"), ""), (float("inf"), ""),
            ("9999-12-31T23:00Z", ""), ("0001-01-01T00:00:00Z", ""), ("2026-10-13T99:00:00Z", ""),
            ("2026-10-13T10:00:00+", ""), ("\u00b2" * 10, ""),
        ]
        for time_text, dates in rows:
            with self.subTest(time=time_text):
                self.assertEqual(self.dates(started_at=time_text), dates)

    def test_where_it_is(self):
        day = "2026-10-13T12:00:00-05:00"
        for record in [
                {"result": {"started_at": day}}, {"extracted": {"calling": {"started_at": day}}},
                {"result": {"extracted": {"calling": {"calls": [{"call_start_time": day}]}}}},
                {"activity": [{"ts": day}], "created_at": "2020-01-01"},
                {"startedAt": day, "createdAt": "2020-01-01"}, {"created_at": day},
                {"call": {"start_time": day}},
                {"metadata": {"start_time_unix_secs": 1791910800, "timezone": "America/Chicago"}},
                {"recipients": [{"attempts": [{"started_at": "2020-01-01"}, {"started_at": day,
                                                                            "transcript_turns": TURNS}]}]}]:
            with self.subTest(record=record):
                self.assertEqual(self.dates(**record)[:5], "10-13")

    def test_zone_makes_it_exact(self):
        try:
            import zoneinfo
            zoneinfo.ZoneInfo("America/Chicago")
        except Exception:
            self.skipTest("no zone data")
        self.assertEqual(self.dates(started_at="2026-10-14T03:00:00Z", timezone="America/Chicago"), "10-13")
        self.assertEqual(self.dates(started_at="2026-10-14T22:30:00Z", timezone="Europe/Berlin"), "10-15")
        for zone in ("", "Mars", "../../etc/passwd", "America", "\0", "\ud800", "/etc", 5, [], "a" * 9999):
            with self.subTest(zone=zone):
                self.assertEqual(self.dates(started_at="2026-10-14T03:00:00Z", timezone=zone), "10-14 10-13")

    def test_default(self):
        self.assertEqual(self.dates(DAY), "01-02")
        self.assertEqual(self.dates(DAY, started_at="2026-10-14"), "10-14")


# ---- Turns ----

class LoadTurns(unittest.TestCase):
    """Lists of turns, under any item names."""

    def test_item_names(self):
        items = [
            {"speaker": "bot", "text": "A"}, {"role": "user", "message": "A"},
            {"role": "assistant", "content": ["A"]},
            {"user": "assistant", "text": "A"}, {"speaker_name": "Human", "sentences": [{"text": "A"}]},
            {"role": "user", "content": [{"type": "text", "text": "A"}, {"type": "image", "url": 5}]},
            {"speaker": {"name": "Agent"}, "text": "A"}, {"role": "agent", "message": None,
                                                          "multivoice_message": {"parts": [{"text": "A"}]}},
            {"speaker": None, "role": "USER", "utterance": "A", "type": "message"}]
        for key in ("transcript", "transcript_turns", "transcriptTurns", "turns", "messages", "conversation",
                    "transcripts", "transcript_object", "messagesOpenAIFormatted", "asr"):
            with self.subTest(key):
                call = read_call({key: items}, "x")
                self.assertEqual("".join(turn.speaker[0] for turn in call.turns), "acaaccaac")
                self.assertEqual({turn.text for turn in call.turns}, {"A"})

    def test_objects_of_turns(self):
        for record in ({"chat_history": {"items": TURNS}}, {"transcript": {"turns": TURNS}},
                       {"transcript": {"messages": TURNS}}, {"conversation": {"turns": TURNS}},
                       {"chat": json.dumps(TURNS)}, {"transcript": json.dumps({"turns": TURNS})},
                       {"artifact": {"messages": TURNS}}, {"transcript": "", "turns": TURNS},
                       {"transcript": [], "result": {"transcript": TURNS}},
                       {"transcript": [5], "turns": TURNS}):
            with self.subTest(record=record):
                self.assertEqual(spoken(read_call(record, "x")), SAID)

    def test_what_is_no_speech(self):
        items = [None, 5, "Agent: hi", [], {"role": "system", "message": "Offer Friday."}, TURNS[0],
                 {"role": "tool_calls", "message": "x"}, {"type": "function_call", "name": "b", "text": "x"},
                 {"type": "function_call_output", "output": "done"}, {"role": "agent", "text": " "},
                 {"role": "node_transition"}, {"user": "agent-action", "text": "Ended call"},
                 {"role": "tool_call_result", "content": 5},
                 {"role": "agent", "message": None, "original_message": "planned"}, TURNS[1]]
        call = read_call({"transcript": items}, "x")
        self.assertEqual(spoken(call), [(5, "agent", "Four?"), (14, "callee", "Yes.")])

    def test_the_plain_list_goes_first(self):
        woven = [{"role": "agent", "content": "Woven."}]
        plain = [{"role": "agent", "content": "Plain."}]
        for record, text in [
                ({"transcript": "Agent: Text.", "transcript_object": plain,
                  "transcript_with_tool_calls": woven}, "Plain."),
                ({"transcript": "Agent: Text.", "transcript_with_tool_calls": woven}, "Woven."),
                ({"scrubbed_transcript_with_tool_calls": woven}, "Woven."),
                ({"transcript": "Agent: Text."}, "Text."),
                ({"transcripts": [], "concatenated_transcript": "assistant: Text. \n "}, "Text.")]:
            with self.subTest(record=record):
                self.assertEqual([turn.text for turn in read_call(record, "x").turns], [text])

    def test_batch_row_without_marks(self):
        call = read_call({"transcript": [{"ts": "Hello. We close at six.", "speaker": ""}]}, "x")
        self.assertEqual(spoken(call), [(0, "agent", "Hello. We close at six.")])

    def test_attempts_go_on_counting(self):
        attempts = [{"transcript_turns": TURNS + [{"speaker": "unknown", "text": ""}]},
                    {"transcript_turns": []}, {"transcript_turns": TURNS}]
        call = read_call({"id": "t", "recipients": [{"attempts": attempts}]}, "x")
        self.assertEqual([turn.index for turn in call.turns], [0, 1, 3, 4])
        self.assertEqual(list(call.recipients), [])

    def test_recipients_without_calls_are_addresses(self):
        call = read_call({"recipients": [{"phone": "1"}, {"phone": "2"}], "transcript": TURNS}, "x")
        self.assertEqual((spoken(call), list(call.recipients)), (SAID, []))

    def test_two_recipients(self):
        person = {"id": "r1", "summary": "one", "locale": "en-GB",
                  "attempts": [{"transcript_turns": TURNS, "started_at": "2026-10-14"}]}
        call = read_call({"id": "t", "status": "in_progress", "summary": None,
                          "recipients": [person, {"id": "r2", "status": "pending", "attempts": []}]}, "x")
        self.assertEqual((call.call_id, call.summary, spoken(call), call.day_first), ("t", None, SAID, True))
        self.assertEqual([(r.call_id, r.summary, len(r.turns)) for r in call.recipients],
                         [("r1", "one", 2), ("r2", None, 0)])
        self.assertEqual([str(day) for day in call.dates], ["2026-10-14"])
        self.assertEqual((call.warnings, call.recipients[0].warnings), (("call_not_ended",), ()))

    def test_recipients_without_texts_are_no_error(self):
        people = [{"id": "r1", "status": "completed", "attempts": []}, {"id": "r2", "attempts": []}]
        call = read_call({"id": "t", "status": "completed", "summary": None, "recipients": people}, "x", DAY)
        self.assertEqual((call.warnings, call.dates), (("transcript_missing",), (DAY,)))
        self.assertEqual([(r.turns, r.warnings, r.dates) for r in call.recipients],
                         [([], ("transcript_missing",), (DAY,))] * 2)
        with self.assertRaisesRegex(RecordError, "^neither"):
            read_call({"id": "t", "status": "completed", "recipients": people}, "x")

    def test_recipients_take_the_tasks_date(self):
        people = [{"attempts": [{"transcript_turns": TURNS}]}, {"attempts": []}]
        call = read_call({"created_at": "2026-10-14", "recipients": people}, "x", DAY)
        self.assertEqual({str(r.dates[0]) for r in (call, *call.recipients)}, {"2026-10-14"})

    def test_roles(self):
        rows = [
            (["Agent", "Maya"], "ac"), (["Maya", "Customer"], "ac"), (["Agent", "Customer", "Maya"], "aco"),
            (["bot", "unknown"], "ac"), (["user", "unknown"], "co"), (["Maya", "Tom"], "oo"),
            (["", ""], "aa"),
            (["Agent", ""], "ao"), (["AI Assistant", "Rider"], "ac"), (["agent_1", "user-2"], "ac"),
            (["ROBOT", "Guest"], "ac"), (["Maya (AI)", "Tom (customer)"], "ac"),
            (["agent", "system", "Tom"], "ac"),
            ([1, 2], "oo"),
        ]
        for labels, initials in rows:
            with self.subTest(labels=labels):
                said = [{"speaker": label, "text": "Hi"} for label in labels]
                self.assertEqual(initials_of(said), initials)

    def test_every_label_has_one_role(self):
        labels = [label for said_so in auditor.SPEAKERS.values() for label in said_so.split(", ")]
        self.assertEqual(len(labels), len(set(labels)))
        for role, said_so in auditor.SPEAKERS.items():
            for label in said_so.split(", "):
                self.assertEqual((auditor.role_of(label), auditor.fold_label(label)), (role, label))
                self.assertEqual(auditor.role_of(label.upper().replace(" ", "_")), role)


# ---- Transcripts that are one text: text, speakers, words ----

TEXTS = [
    ("Agent [00:01]: Hi.\nUser [00:04]: Yes.", "ac", ["Hi.", "Yes."]),
    ("Agent: [00:01] Hi.\nUser: [00:04] Yes.", "ac", ["Hi.", "Yes."]),
    ("[00:01] **Agent:** It is: [00:03] **User:** Yes.", "ac", ["It is:", "Yes."]),
    ("[00:01] Hi. [00:02] BOT: Four? [00:04] USER: Yes.", "oac", ["Hi.", "Four?", "Yes."]),
    ("Agent: Open at [10:30] daily.\nUser: Yes.", "ac", ["Open at [10:30] daily.", "Yes."]),
    ("We open at [10:30] daily.", "a", ["We open at [10:30] daily."]),
    ("[00:00:00] BOT: Hi. [00:00:06] USER: At 7:45.", "ac", ["Hi.", "At 7:45."]),
    ("[00:00:00] BOT: Hi.\n[00:00:06] USER: At 7:45.", "ac", ["Hi.", "At 7:45."]),
    ("[00:07] BOT: Hi. [01:08] USER: Note: the time is 7:45.", "ac", ["Hi.", "Note: the time is 7:45."]),
    ("[00:07.250] BOT: Hi.\n\n[00:00:08,5] USER: Yes.", "ac", ["Hi.", "Yes."]),
    ("[00:00:01 - 00:00:04] BOT: Hi. [00:00:05 --> 00:00:06] USER: Yes.", "ac", ["Hi.", "Yes."]),
    ("[00:00:00] BOT: Hi,\nthere.\n[00:00:06] USER: Yes.", "ac", ["Hi,\nthere.", "Yes."]),
    ("[00:00:00] BOT: Hi.\nUSER: Yes.\nBOT: Great.", "aca", ["Hi.", "Yes.", "Great."]),
    ("[00:00:00] BOT: Hi. [00:00:03] Four? [00:00:06] USER: Yes.", "aac", ["Hi.", "Four?", "Yes."]),
    ("[00:00:00] BOT: Hi. [00:00:03] At 7:45? [00:00:06] USER: Yes.", "aac", ["Hi.", "At 7:45?", "Yes."]),
    ("[00:00:00] Hello. [00:00:06] We are closed.", "aa", ["Hello.", "We are closed."]),
    ("[00:00:00] Maya: Hi. [00:00:06] USER: Yes.", "ac", ["Hi.", "Yes."]),
    ("[00:00:00] BOT:Hi. [00:00:06] USER:45.", "ac", ["Hi.", "45."]),
    ("USER: Hello?\n[00:00:02] BOT: Hi.", "ca", ["Hello?", "Hi."]),
    ("Agent: Hi.\nUser: Yes.\n", "ac", ["Hi.", "Yes."]),
    ("Agent: Hi.\r\nUser: Yes.\r\n", "ac", ["Hi.", "Yes."]),
    ("Agent: Hi.\rUser: Yes.", "ac", ["Hi.", "Yes."]),
    ("\nbot: Hi. \nhuman: Yes", "ac", ["Hi.", "Yes"]),
    ("user : Hello. \n assistant: Hi: 7:45? \n user: Yes. \n ", "cac", ["Hello.", "Hi: 7:45?", "Yes."]),
    ("Agent: Hi. Is four fine? User: Yes. Agent: Bye.", "aca", ["Hi. Is four fine?", "Yes.", "Bye."]),
    ("**Agent:** Hi.\n**Customer:** Yes.", "ac", ["Hi.", "Yes."]),
    ("- Agent: Hi.\n- Customer: Yes.", "ac", ["Hi.", "Yes."]),
    ("00:04 Agent: Hi.\n00:07 Customer: Yes.", "ac", ["Hi.", "Yes."]),
    ("(00:04) Agent: Hi.\n(00:07) Customer: Yes.", "ac", ["Hi.", "Yes."]),
    ("Agent (00:04): Hi.\nCustomer (00:07): Yes.", "ac", ["Hi.", "Yes."]),
    ("Agent [00:04]: Hi.\nCustomer [00:07]: Yes.", "ac", ["Hi.", "Yes."]),
    ("Agent: [00:04] Hi.\nCustomer: [00:07] Yes.", "ac", ["Hi.", "Yes."]),
    ("Agent: One table,\nfor four.\nNote: outside.\nUser: Yes.", "ac",
     ["One table,\nfor four.\nNote: outside.", "Yes."]),
    ("Maya: Hi.\nTom Reed: Yes?\nMaya: Four?\nTom Reed: Yes.", "oooo", ["Hi.", "Yes?", "Four?", "Yes."]),
    ("Maya: Hi.\nCustomer: Yes.", "ac", ["Hi.", "Yes."]),
    ("Dr. Smith: Hi.\nAgent: Four?", "ca", ["Hi.", "Four?"]),
    ("Speaker 1: Hi.\nSpeaker 2: Yes.\nSpeaker 1: Bye.", "ooo", ["Hi.", "Yes.", "Bye."]),
    ("Agent: Four?\nSystem: call ended", "a", ["Four?"]),
    ("Note: the time is 7:45", "a", ["Note: the time is 7:45"]),
    ("We open at 7:45. It is fine: come.", "a", ["We open at 7:45. It is fine: come."]),
    ("Monday: closed.\nTuesday: open.", "a", ["Monday: closed.\nTuesday: open."]),
    ("Call of June 9\nAgent: Hi.", "a", ["Hi."]),
    ("We have rooms [101] and [102].", "a", ["We have rooms [101] and [102]."]),
    ("WEBVTT\n\n00:00:04.000 --> 00:00:07.200\n<v Agent>Hi.</v>\n\n00:08.000 --> 00:09.000\n<v Tom>Yes.</v>",
     "ac", ["Hi.", "Yes."]),
    ("1\n00:00:04,000 --> 00:00:07,200\nAgent: Hi.\n\n2\n00:00:08,000 --> 00:00:09,000\nUser: Yes.\n", "ac",
     ["Hi.", "Yes."]),
    ("We open at [10:30] daily.", "a", ["We open at [10:30] daily."]),
    ("[00:01] BOT: Done. Status: confirmed. Office: four.\n[00:04] USER: Yes.", "ac",
     ["Done. Status: confirmed. Office: four.", "Yes."]),
    ("[00:01]       BOT: Hi.\n[00:04] USER: Yes.", "ac", ["Hi.", "Yes."]),
    ("   \n ", "", []),
    ("[not json \"", "a", ["[not json \""]),
    ("{\"a\": 1}", "", []),
]


class LoadTexts(unittest.TestCase):
    """Transcripts that are one string."""

    def test_texts(self):
        for text, initials, words in TEXTS:
            with self.subTest(text=text):
                self.assertEqual((initials_of(text), texts_of(text)), (initials, words))

    def test_index_counts_turns(self):
        call = read_call({"transcript": "Agent: A\nSystem: B\nUser: C"}, "x")
        self.assertEqual([turn.index for turn in call.turns], [0, 2])

    def read(self, said):
        return read_call({"transcript": said}, "x")

    def test_a_long_text_is_soon_read(self):
        for piece in ("[00:00:00] ", "A: ", "A: \n", "\n", "[", "Agent: ", "Agent: a. ", ". ", "a\n:", "]:",
                      "[0:00] A B", "\nAgent", "\n>>>>", "(", "\n1:11", "\n(1:11)", "x", " --> ", "<v ", "<v",
                      "\n1\n1:11 --> 1", "{\"", "[\"", "\r", "Dr. ", "\nA(", "\n- - ", "[00:00:00",
                      "[00:00:00 - ", "\u00e9. ", "A B C: b\n", "[[00:00]] A: ", "\nAb Cd(ef):",
                      "\n" + "a" * 9):
            small, large = ((piece * (size // len(piece) + 1))[:size] for size in (10000, 80000))
            with self.subTest(piece=piece):
                self.assertTrue(grows_linearly(self.read, small, large))


# ---- Wrong input: content, what the error says ----

WRONG = [
    (b"", r"^not JSON \(line 1, column 1\) in "),
    (b'{"a":\n 1,}', r"^not JSON \(line 2, column [34]\) in "),
    (b"{} x", r"^not JSON \(line 1, column 4\)"),
    (b"[1]", r"^not an object but a list in "),
    (b"5", r"^not an object but a number in "), (b"null", r"but null"), (b"true", r"but true or false"),
    (b'"x"', r"but a text"),
    (b'{"summary": "caf\xe9"}', r"^bytes that are not UTF-8 \(at byte 16\)"),
    (b"\xef\xbb\xbf\xff", r"at byte 3"), (b"\xff\xfe{", r"UTF-16"),
    (b"[" * 200000, r"^nesting too deep in "), (b'{"a":' * 200000, r"^nesting too deep in "),
    (b'{"result":' * 60 + b"1" + b"}" * 60, r"^nesting too deep in "),
    (b'{"post_summary": 45}', r"^a number where text belongs \(post_summary\) in "),
    (b'{"summary": ["a"]}', r"^a list where text belongs \(summary\)"),
    (b'{"result": {"summary": true}}', r"^true or false where text belongs \(summary\)"),
    (b'{"transcript": 5}', r"^a number where text belongs \(transcript\)"),
    (b'{"transcript": false}', r"^true or false where text belongs \(transcript\)"),
    (b'{"transcript": [{"speaker": "bot", "text": 5}]}',
     r"^a number where text belongs \(transcript\[0\]\.text\)"),
    (b"{}", r"^neither summary nor transcript \(looked for post_summary, summary, .*transcript.*\) in "),
    (b'{"status": "completed"}', r"^neither"), (b'{"message": "Hello"}', r"^neither"),
    (b'{"error": {"code": -32000, "message": "x"}, "jsonrpc": "2.0", "id": 1}', r"^neither"),
    (b'{"items": [{"call_id": "a", "transcript": "Agent: x"}]}', r"^neither"),
    (b'{"turns": 12}', None), (b'{"summary": null}', None), (b'{"transcript": null}', None),
    (b'{"transcript": []}', None), (b'{"status": "NO_ANSWER"}', None),
    (b'{"call_status": "registered"}', None),
    (b'\xef\xbb\xbf{"summary": "a"}', None), ('{"summary": "caf\u00e9"}'.encode("utf-16"), None),
    (b'{"summary": "a", "summary": "b", "x": NaN, "y": -Infinity, "z": 1e999}', None),
    (b'{"summary": "\\ud800"}', None), (b'{"summary": "a", "messages": 12}', None),
    (b'{"summary": "a", "id": ' + b"9" * 400 + b"}", None),
]


class LoadWrongInput(Files):
    """One line that says what is wrong and where; no traceback."""

    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.folder, "call.json")

    def test_contents(self):
        for content, error in WRONG:
            with self.subTest(content=content[:60]):
                with open(self.path, "wb") as file:
                    file.write(content)
                if error is None:
                    load_call_result(self.path)
                    continue
                with self.assertRaisesRegex(RecordError, error) as caught:
                    load_call_result(self.path)
                self.assertTrue(str(caught.exception).endswith(" in " + self.path))
                self.assertNotIn("\n", str(caught.exception))

    def test_files(self):
        for path, error in ((self.path + ".no", r"^no such file in "), ("a\0b", r"^no readable file "),
                            (self.folder, r"^a directory, no file, in ")):
            with self.subTest(path=path), self.assertRaisesRegex(RecordError, error):
                load_call_result(path)

    def test_number_with_too_many_digits(self):
        if hasattr(sys, "get_int_max_str_digits"):
            with self.assertRaisesRegex(RecordError, r"^not JSON \(a number with too many digits\) in line"):
                parse_record('{"id": ' + "9" * 5000 + "}", "line 3")

    def test_standard_input(self):
        with mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"summary": "a"}'))):
            self.assertEqual(load_call_result("-").summary, "a")
        with mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x"))):
            with self.assertRaisesRegex(RecordError, r"^not JSON \(line 1, column 1\) in standard input$"):
                load_call_result("-")

    def test_library_callers(self):
        for record in ([], None, "x", 5):
            with self.assertRaisesRegex(RecordError, "^not an object"):
                read_call(record, "x")

    def test_error_survives_pickling(self):
        error = pickle.loads(pickle.dumps(RecordError("a", "b")))
        self.assertEqual((type(error), str(error)), (RecordError, "a in b"))


class LoadAnyValue(unittest.TestCase):
    """Whatever JSON comes, nothing but RecordError goes."""

    WORDS = sorted({*auditor.KEYS, *auditor.CALL_KEYS, *auditor.TEXT_KEYS, *auditor.SPEAKER_KEYS,
                    *auditor.ID_KEYS, *auditor.TURN_LISTS,
                    "recipients", "attempts", "content", "jsonrpc", "final_result", "type"})
    LEAVES = (None, True, False, 0, 5, -1, 1.5, 1e300, float("nan"), float("inf"), 10 ** 400, "", " ", "a",
              "\ud800", "agent", "Agent: hi\nUser: yes", "[00:00:01] BOT: hi", "2026-10-14T10:00:00Z",
              "2026-10-14T", "Europe/Berlin", "en-GB", '{"summary": 5}', '[{"text": "x"}]', "FAILED", "busy",
              '{"transcript": {"turns": [{"content": [5]}]}}', 1791331200, "system", [], {})

    def value(self, random_, depth):
        kind = random_.random()
        if depth == 0 or kind < .35:
            return random_.choice(self.LEAVES)
        if kind < .6:
            return [self.value(random_, depth - 1) for _ in range(random_.randrange(4))]
        return {random_.choice(self.WORDS): self.value(random_, depth - 1)
                for _ in range(random_.randrange(6))}

    def test_any_value(self):
        random_ = random.Random(7)
        loaded = 0
        for _ in range(4000):
            record = {random_.choice(self.WORDS): self.value(random_, 6) for _ in range(random_.randrange(6))}
            try:
                call = read_call(record, "x")
            except RecordError:
                continue
            except Exception:
                self.fail(json.dumps(record)[:2000])
            loaded += 1
            self.assertIsInstance(call.call_id, (str, type(None)))
            self.assertIsInstance(call.summary, (str, type(None)))
            for turn in call.turns:
                self.assertIn(turn.speaker, ("agent", "callee", "other"))
                self.assertTrue(turn.text.strip() and isinstance(turn.label, str))
            self.assertEqual(len({turn.index for turn in call.turns}), len(call.turns))
            self.assertEqual([t.index for t in call.turns], sorted(t.index for t in call.turns))
            self.assertTrue(all(type(day) is datetime.date for day in call.dates))
        self.assertGreater(loaded, 400)


# ---- Shapes that people write by hand, and what is said of those that are not understood ----

TWO_SAID = ["Four?", "Yes."]
READ_TOO = [                    # the record, speakers
    ({"transcript": ["Agent: Four?", "User: Yes."]}, "ac"),
    ({"messages": ["[00:00:01] BOT: Four?", "[00:00:04] USER: Yes."]}, "ac"),
    ({"turns": ["**Agent:** Four?", "**Customer:** Yes."]}, "ac"),
    ({"transcript": json.dumps(["Agent: Four?", "User: Yes."])}, "ac"),
    ({"segments": [{"speaker": "Agent", "start": 0, "end": 2, "text": "Four?"},
                   {"speaker": "Customer", "start": 2, "end": 3, "text": "Yes."}]}, "ac"),
    ({"transcript": {"segments": [{"role": "assistant", "text": "Four?"}, {"role": "user", "text": "Yes."}]}},
     "ac"),
    ({"transcript": {"text": "Agent: Four?\nUser: Yes."}}, "ac"),
    ({"call_transcript": "Agent: Four?\nUser: Yes."}, "ac"),
    ({"transcript": [{"who": "agent", "said": "Four?"}, {"who": "callee", "said": "Yes."}]}, "ac"),
    ({"transcript": [{"speaker_role": "agent", "text": "Four?"},
                     {"speaker_role": "customer", "text": "Yes."}]}, "ac"),
    ({"transcript": [{"speaker": "SPEAKER_00", "speaker_role": "agent", "text": "Four?"},
                     {"speaker": "SPEAKER_01", "speaker_role": "customer", "text": "Yes."}]}, "ac"),
    ({"transcript": [{"speaker": "Maya", "role": "assistant", "text": "Four?"},
                     {"speaker": "Tom", "role": "user", "text": "Yes."}]}, "ac"),
    ({"result": [{"type": "text", "text": json.dumps({"transcript": TURNS})}]}, "ac"),
    ({"result": {"content": [{"type": "text", "text": json.dumps({"transcript": TURNS})}]}}, "ac"),
    ({"result": {"result": {"content": [{"type": "text", "text": json.dumps({"transcript": TURNS})}]}}},
     "ac"),
    ({"data": json.dumps({"transcript": TURNS})}, "ac"),
    ({"type": "text", "text": json.dumps({"transcript": TURNS})}, "ac"),
    ({"transcript": "A: Four?\nB: Yes."}, "oo"),
    ({"transcript": ["Maya: Four?", "Tom: Yes."]}, "oo"),
]
SUMMARIES_TOO = [
    ({"post_call_summary": "a"}, "a"), ({"recap": "a"}, "a"), ({"call": {"postCallSummary": "a"}}, "a"),
    ({"post_summary": {"text": "a"}}, "a"), ({"summary": {"content": "a", "language": "en"}}, "a"),
    ({"summary": {"headline": "a"}}, "a"), ({"summary": {"headline": "a", "score": 5, "tags": []}}, "a"),
    ({"summary": {}}, None), ({"summary": {"overview": None}}, None),
    ({"post_summary": {"recap": "a", "x": "b"}}, "a"),
]
NOT_READ = [                    # the record, what the error says
    ({"transcript": ["Hello there.", "Hi."]},
     r'^no turns under "transcript": a list of text without speaker labels in'),
    ({"transcript": [{"who": "agent", "line": "Hi"}, {"who": "user", "line": "Yes"}]},
     r'^no turns under "transcript": no words under who, line; speakers found: agent, user in x$'),
    ({"turns": [["agent", "Hi"]]}, r'^no turns under "turns": a list with a list where a turn belongs in'),
    ({"post_summary": "a", "transcript": [5]}, r'^no turns under "transcript": a list with a number'),
    ({"transcript": {"lines": [], "id": 5}, "summary": "a"},
     r'^no turns under "transcript": no words under lines, id'),
    ({"result": {"transcript": [{"body": "Hi"}]}, "summary": "a"},
     r'^no turns under "transcript": no words under body'),
    ({"recipients": [{"attempts": [{"transcript_turns": ["Hi"]}]}]},
     r'^no turns under "transcript_turns": a list of'),
    ({"transcript": [{"555-0142 \u001b[2J\nx": "Hi"}]},
     r"^no turns under \"transcript\": no words under ######42"),
    ({"summary": {"mood": "good", "topic": "bins"}},
     r'^no text under "summary": an object with the keys mood, topic in x'),
    ({"ok": False, "error": {"code": "run_not_found", "message": "Run r1 is gone."}},
     r'^neither summary nor transcript but an error \("run_not_found: Run r1 is gone\."\) in x$'),
    ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "No such tool"}},
     r"-32000: No such tool"),
    ({"content": [{"type": "text", "text": "Run r1 is gone."}], "isError": True},
     r'an error \("Run r1 is gone\."\)'),
    ({"jsonrpc": "2.0", "result": {"content": [{"type": "text", "text": "Run r1 is gone."}]}},
     r'"Run r1 is gone\."'),
    ({"result": {"result": {"content": [{"type": "text", "text": "Gone."}], "isError": True}}}, r'"Gone\."'),
    ({"run_id": "r", "status": "FAILED", "error": {"code": "bad_phone", "message": "Bad number"}},
     r"bad_phone: Bad"),
    ({"run_id": "r", "status": "COMPLETED", "error": "Bad number"}, r'an error \("Bad number"\)'),
    ({"status": "ERROR", "error": {"message": "555-0142 is\nbad " + "x" * 500}},
     r'\("######42 is bad x{50,160}"\) in x$'),
]
UNDERSTOOD = [                  # nobody spoke, and the record is no fault
    {"transcript": []}, {"transcript": ""}, {"transcript": None},
    {"transcript": [{"role": "system", "content": "x"}]},
    {"transcript": [{"role": "agent", "message": None}]},
    {"transcript": [{"type": "function_call", "name": "x"}]},
    {"transcript": {"turns": []}}, {"transcript": {"lines": []}, "status": "in_progress"}, {"messages": 12},
    {"transcript": [{"role": "node_transition"}]}, {"status": "NO_ANSWER", "error": {"message": "no answer"}},
    {"status": "queued", "error": None},
    {"post_summary": None, "transcript": [], "ok": False, "error": "timed out"},
]


class LoadKinds(unittest.TestCase):
    """What is there is read, or it is said what was found; nothing that is there is called missing."""

    def test_turns(self):
        for record, initials in READ_TOO:
            with self.subTest(record=record):
                call = read_call(record, "x")
                self.assertEqual([turn.text for turn in call.turns], TWO_SAID)
                self.assertEqual("".join(turn.speaker[0] for turn in call.turns), initials)

    def test_index_of_a_labelled_text_is_its_items(self):
        said = ["Agent: Four,", "or five?", "User: Yes.", "Agent: Good."]
        self.assertEqual([turn.index for turn in read_call({"transcript": said}, "x").turns], [0, 2, 3])

    def test_summaries(self):
        for record, summary in SUMMARIES_TOO:
            with self.subTest(record=record):
                self.assertEqual(read_call(record, "x").summary, summary)

    def test_what_is_not_read_is_told(self):
        for record, error in NOT_READ:
            with self.subTest(record=record), self.assertRaisesRegex(RecordError, error) as caught:
                read_call(record, "x")
            self.assertNotRegex(str(caught.exception), r"\n|555")

    def test_what_is_empty_is_no_fault(self):
        for record in UNDERSTOOD:
            with self.subTest(record=record):
                self.assertIn("transcript_missing", read_call(record, "x").warnings)

    def test_content_alone(self):
        block = {"type": "text", "text": json.dumps({"post_summary": "a"})}
        for content in ([block], [{"type": "text", "text": "Done."}, block]):
            self.assertEqual(read_call(parse_record(json.dumps(content), "x"), "x").summary, "a")

    def test_a_status_is_no_summary(self):
        rows = [("Call completed successfully.", "COMPLETED", None), ("The call has ended.", "ended", None),
                ("Run finished.", "completed", None), ("Call completed successfully.", "FAILED", "same"),
                ("Call completed successfully.", None, "same"),
                ("The task was completed.", "COMPLETED", "same"),
                ("Call completed: four booked.", "COMPLETED", "same"),
                ("Call completed.", "in_progress", "same"), ("Call completed.", "NO_ANSWER", "same")]
        for summary, status, left in rows:
            with self.subTest(summary=summary, status=status):
                call = read_call({"post_summary": summary, "status": status, "transcript": TURNS}, "x")
                self.assertEqual(call.summary, left and summary)
        said = [{"speaker": "agent", "text": "Shall I book it?"},
                {"speaker": "callee", "text": "No, thanks."}]
        call = read_call({"post_summary": rows[0][0], "status": "COMPLETED", "transcript": said}, "x")
        card = auditor.card_of(auditor.audit_task(call))
        self.assertEqual((card["verdict"], card["counts"]["checkable"]), ("NO_CHECKABLE_CLAIMS", 0))


class LoadSpeakers(unittest.TestCase):
    """Speakers whom no rule places are told of; the caller may name the callee."""

    def call(self, labels, callee=None):
        said = [{"speaker": label, "text": f"Word {n}."} for n, label in enumerate(labels)]
        return read_call({"transcript": said, "summary": "a"}, "x", None, callee)

    def test_unknown_speakers(self):
        rows = [("AB", True), ([0, 1], True), (["SPEAKER_00", "SPEAKER_01"], True), (["Maya", "Tom"], True),
                (["Speaker 1", "Speaker 2"], True), (["Agent", "Maya", "Tom"], True), (["Maya"], True),
                (["", ""], True),
                (["spk_0", "spk_1"], True), (["channel 1", "channel 2"], True),
                (["Agent", "Maya"], False), (["Maya", "Customer"], False), (["bot", "user", "Tom"], False),
                (["agent"], False), ([""], False), (["bot", "unknown"], False), ([], False)]
        for labels, unknown in rows:
            with self.subTest(labels=labels):
                self.assertEqual("speakers_unknown" in self.call(labels).warnings, unknown)

    def test_unknown_speakers_of_a_text(self):
        for text, unknown in (("A: Four?\nB: Yes.", True),
                              ("Maya: Four?\nTom: Yes.\nMaya: Ok.\nTom: Bye.", True),
                              ("[00:01] Four? [00:04] Yes.", True), ("Is it four? Yes.", False),
                              ("Agent: Four?\nUser: Yes.", False)):
            with self.subTest(text=text):
                self.assertEqual("speakers_unknown" in read_call({"transcript": text}, "x").warnings, unknown)

    def test_a_named_callee(self):
        rows = [("AB", "B", "ac"), ("AB", "A", "ca"), ([0, 1], "1", "ac"),
                (["SPEAKER_00", "SPEAKER_01"], "speaker 01", "ac"),
                (["Maya", "Tom"], "tom", "ac"), (["Agent", "Maya", "Tom"], "Tom", "aoc"),
                (["Agent", "User"], "Agent", "ca"),
                (["Maya", "Tom", "Ann"], "Tom", "oco"), (["Maya", "Tom"], "Bob", "oo"),
                (["Agent", "User"], "Bob", "ac")]
        for labels, callee, initials in rows:
            with self.subTest(labels=labels, callee=callee):
                call = self.call(labels, callee)
                self.assertEqual("".join(turn.speaker[0] for turn in call.turns), initials)
                self.assertEqual("speakers_unknown" in call.warnings,
                                 set(initials) < {*"aco"} and "o" in initials)

    def test_a_named_callee_of_a_file_and_of_recipients(self):
        said = [{"speaker": "A", "text": "Four?"}, {"speaker": "B", "text": "Yes."}]
        people = [{"id": name, "summary": "a", "attempts": [{"transcript_turns": said}]} for name in ("r1",
                                                                                                      "r2")]
        task = {"id": "t", "summary": "a", "recipients": people}
        self.assertIn("speakers_unknown", read_call(task, "x").warnings)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "call.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(task, file)
            call = load_call_result(path, callee="B")
        for one in (call, *call.recipients):
            self.assertEqual(({turn.speaker for turn in one.turns}, one.warnings), ({"agent", "callee"}, ()))


# ---------------------------------------------------------------------------------------------- mask

MASKED = [                      # between « and » stands one number: masked but for its last two characters
    "Ring «555 0142», please", "Ring «555.0142», please", "Ring «555-0142», please",
    "Ring «555/0142», please",
    "Ring «555,0142», please", "Ring «5550142», please", "Ring «(555) 555-0142», please",
    "Ring «+1 555-0142», please",
    "Ring «+1 (555) 555-0142», please", "Ring «(555)5550142», please", "Ring «1-555-555-0142»",
    "Ring «+1.555.555.0142»",
    "The account is «88120043519».", "Policy «0044-1200-97»", "Card «4000 1234 5678 9010»!",
    "No-break: «555\xa00142»", "Thin: «555\u20090142»", "Narrow: «555\u202f0142»", "Figure: «555\u20070142»",
    "Hyphen: «555\u20100142»", "Non-breaking hyphen: «555\u20110142»", "En dash: «555\u20130142»",
    "Minus: «555\u22120142»", "Full-width hyphen: «555\uff0d0142»", "Zero width: «555\u200b0142»",
    "Joiner: «555\u20600142»", "Mark: «555\ufeff0142»", "Soft hyphen: «555\xad0142»",
    "Arabic: «\u0665\u0665\u0665\u0660\u0661\u0664\u0662»",
    "Devanagari: «\u096b\u096b\u096b\u0966\u0967\u096a\u0968»",
    "Full width: «\uff15\uff15\uff15\uff10\uff11\uff14\uff12»", "Two scripts: «555-\u0660\u0661\u0664\u0662»",
    "Mathematical: «\U0001d7d3\U0001d7d3\U0001d7d3\U0001d7ce\U0001d7cf\U0001d7d2\U0001d7d0»",
    "It's «five five five oh one four two».", "It's «five, five, five, zero, one, four, two».",
    "It's «Five Five Five, Oh One Four Two».", "It's «five-five-five-oh-one-four-two».",
    "It's «double five five oh one four two».", "It's «triple five oh one four two».",
    "It's «treble five oh one four two».",
    "It's «555 oh one four two».", "It's «five five five 0142».", "It's «5 5 5 0 1 4 2».",
    "It's «5 5 5 oh 1 four 2».",
    "It's «one five five five, five five five, oh one four two».",
    "It's «zero zero four four double one nine».",
    "A line break: «555\n0142»", "A line break of another kind: «555\r\n0142»",
    "Twice: «555-0142» or «555-0177»",
    "No date: «2026-13-40»", "No date: «2026-02-30»", "No date: «31.31.2026»", "No date: «45/14/2026»",
    "A date and more: «10/14/2026-555»", "No grouping: $«1250000»", "Wrong grouping: $«12,50,000.00»",
    "No currency: «1,250,000»",
]
UNMASKED = [
    "rooms 101, 102, 103", "October 14, 2026, 2 p.m.", "555 014", "a code of six: 48 21 39", "4 4 2 1",
    "five five five oh one four", "double five, oh one four", "one, two, three, go", "call 911 or 311",
    "2026-10-14", "2026/10/14", "10/14/2026", "14/10/2026", "14.10.2026", "2026-10-14 14:00",
    "10/14/2026 2:30 p.m.",
    "10/14/2026 2 p.m.", "14.10.2026 16:30", "2024-02-29", "2026-10-14T09:30:00Z", "$1,250,000.00",
    "$1,250,000",
    "\u20ac1,250,000", "\xa3 2,400,000", "from 08:00 to 17:30", "sizes 10, 11, 12, 13, 14",
    "June 3 to 5, 2026",
    "two and a half, then four or five", "", "#######42", "one o'clock, two o'clock, three o'clock",
]


class Mask(unittest.TestCase):
    """Numbers of seven digits and more are covered, whatever their shape; dates and amounts stay."""

    def test_masked(self):
        for row in MASKED:
            with self.subTest(row):
                expected = re.sub("«(.*?)(..)»", lambda m: "#" * len(m[1]) + m[2], row, flags=re.DOTALL)
                self.assertEqual(mask_pii(re.sub("[«»]", "", row)), expected)

    def test_unmasked(self):
        for row in UNMASKED:
            with self.subTest(row):
                self.assertEqual(mask_pii(row), row)

    def test_masking_twice_is_masking_once(self):
        for row in MASKED + UNMASKED:
            with self.subTest(row):
                once = mask_pii(re.sub("[«»]", "", row))
                self.assertEqual(mask_pii(once), once)

    def test_length_is_kept_whatever_comes(self):
        random_ = random.Random(4)
        pieces = ["5", "55", "five", "oh", "double", " ", ", ", "-", "(", ") ", "+", "\n", "\u0665", "\u2011",
                  "$", "a", "1,250,000", "2026-10-14", "#", "\u0130", "\xdf", "\U0001d7d3"]
        for _ in range(2000):
            text = "".join(random_.choices(pieces, k=random_.randrange(1, 24)))
            self.assertEqual(len(mask_pii(text)), len(text), text)
            self.assertNotRegex(mask_pii(text.replace("2026-10-14", "x").replace("1,250,000", "x")), r"\d{7}")

    def test_a_number_cut_in_two_by_turns_of_one_speaker(self):
        for first, second in (("It's 555", "0142."), ("five five five", "oh one four two"),
                              ("five five five", "0142"), ("555", "oh one four two")):
            with self.subTest(first=first, second=second):
                shown = self.turns_shown(first, second)
                self.assertEqual(shown[0].lstrip("It's ").strip("#"), "")
                self.assertEqual(shown[1].strip("#."), second.strip(".")[-2:])

    def turns_shown(self, *said):
        """The texts of turns of one speaker as a page shows them."""
        transcript = [{"speaker": "callee", "text": one} for one in said]
        call = read_call({"transcript": transcript}, "x")
        return [turn.text for turn in auditor.audit_task(call).dialogue.turns]

    def test_numbers_of_two_speakers_are_two(self):
        call = read_call({"transcript": turns("A: Is it 555? / C: 0142.")}, "x")
        shown = [turn.text for turn in auditor.audit_task(call).dialogue.turns]
        self.assertEqual(shown, ["Is it 555?", "0142."])

    def test_nothing_masked_reaches_a_card_in_any_format(self):
        said = "A: Is 555-0142 right? / C: Five five five, oh one four two. Or +1 (555) 555-0177, room 12."
        call = record("Confirmed 555-0142 and room 12 for five five five oh one four two.", said)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "call.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(call, file)
            for form in ("json", "text", "html"):
                with self.subTest(form):
                    code, out, _ = run("audit", path, "--format", form)
                    self.assertEqual(code, 0)
                    self.assertNotRegex(out.lower(), r"0142|0177|five five|four two")
                    self.assertIn("12", out)


# between « and » one number; how it may be written and cut, beyond single separators
MASKED_TOO = [
    "Ring «(555) - 555 - 0142»", "Ring «555 - 0142», please", "Ring «555 / 0142»", "Ring «555--0142»",
    "Ring «555 -- 0142»", "Ring «555 \u2013\u2013 0142»", "Ring «555  0142»", "Ring «555\u2003\u30000142»",
    "Ring «555...0142»", "Ring «555 ... 0142»", "Ring «555_0142»", "Ring «555:0142»", "Ring «555|0142»",
    "Ring «555;0142»", "Ring «555 \\ 0142»", "Ring «+1 - (555) - 555.01/42»", "Ring «555 .,-/_|~()-0142»",
    "Ring «5 5-5/0.1,4(2», please", "Ring «5:5:5:0:1:4:2»", "Ring «5, 5, 5, 0, 1, 4, 2», please",
    "Ring «5. 5. 5. 0. 1. 4. 2». Please", "Ring «5; 5; 5; 0; 1; 4; 2»", "Ring «4, 1, 5, 5 5 5, 0, 1»",
    "Ring «4 1 5, 5 5 5, 0 1 9 6»", "Circled: «\u2464\u2464\u2464\u24ea\u2460\u2463\u2461»",
    "Raised: «\u2075\u2075\u2075\u2070\xb9\u2074\xb2»",
    "Lowered: «\u2085\u2085\u2085 \u2080\u2081\u2084\u2082»", "Mixed: «555\u2070\xb9\u2074\xb2»",
    "Round marks: «\u24f9\u24f9\u24f9\uff0d\u24ea\u2776\u2779\u2777»",
    "With stops: «\u248c\u248c\u248c\u2488\u248b\u2489\u2488»",
    "Keycaps: «5\ufe0f\u20e35\ufe0f\u20e35\ufe0f\u20e30\ufe0f\u20e31\ufe0f\u20e34\ufe0f\u20e32»\ufe0f\u20e3",
    "Marks: «5\u03015\u03015\u0301 0\u03011\u03014\u03012»\u0301", "Two marks: «555\u200e\u202d0142»",
    "Sides: \u202d«555\u202c-\u202d0142»\u202c", "Written: «\u4e94\u4e94\u4e94\u3007\u4e00\u56db\u4e8c»",
    "Kana dash: «\uff15\uff15\uff15\u30fc\uff10\uff11\uff14\uff12»",
    "It's «five. five. five. oh. one. four. two».", "It's «five... five... five... oh one four two».",
    "It's «five\u2026 five\u2026 five\u2026 oh one four two».",
    "It's «five\xa0five\xa0five\xa0oh\xa0one\xa0four\xa0two».",
    "It's «five  five  five  oh  one  four  two».", "It's «five five five naught one four two».",
    "It's «five five five nought one four two».", "It's «five five five nil one four two».",
    "It's «five five five aught one four two».", "It's «five five five -- oh one four two».",
    "It's «five five five\noh one four two».", "It's «five five five, uh, oh one four two».",
    "It's «five five five dash oh one four two».", "It's «five five five. 0142».",
    "It's «555. Oh one four two».", "It's «555, oh one four two».",
    "It's «five? Five? Five? Oh one four two».", "It's «five/five/five/oh/one/four/two».",
    "It's «\uff46\uff49\uff56\uff45 five five oh one four two».",
    "It's «fi\u200bve five five oh one fo\xadur two».", "It's «double\xa0five  five oh one four two».",
    "Cut: «555 -\n0142»", "Cut: «555-\n0142»", "Cut: «555 \u2014\r\n 0142»", "Cut: «555\n  0142»",
    "Cut: «five five five -\noh one four two»", "Cut: «555 /\n0142»", "A list: order 48213\n«2) 555-0142»",
    "$45 - «555-0142»", "10/14/2026 - «555-0142»", "At 10:30, «555-0142»", "A wrong range: «56.78 - 91.12»",
]
UNMASKED_TOO = [
    "on 3/4, 3/5, 3/6, 3/7 and 3/8", "they won 6-3, 6-4, 7-5, 6-2", "at 9:05, 1:05, 2:05, 3:05",
    "1.5, 2.5, 3.5, 4.5, 5.5", "4 a.m., 5 a.m., 6 a.m. and 7 a.m.", "2 of 3, 4 of 5, 6 of 7, 8 of 9",
    "$5, $6, $7, $8, $9, $4, $3, $2", "one, two or three; four at most. Five is too many, six is no use",
    "15% - 20%, 25% - 30%", "rooms 101, 102, 103, 104 and 105", "rooms 101; 102; 103",
    "gates 12. 14. 16. 18.", "1, 2, 3, 4, 5, 6, 7, 8, 9", "a code of six: 48 21 39", "sizes 10, 12, 14, 16",
    "seats 4, 5, 6 and 7", "order 48213, two pizzas, one drink", "order 482130. One of them",
    "The code is six. 482139 is the other.", "room 204. 1500 dollars", "from 08:00 - 17:30", "08:00-17:30",
    "2:30:15 and 12:45", "9.30 - 17.30", "10/14 - 10/16", "10/14/2026 - 10/16/2026", "2026-10-14/2026-10-16",
    "2026-10-14 \u2013 2026-10-16", "14. 10. 2026", "14 / 10 / 2026", "1/1/2026 - 1/3/2026",
    "10/14/2026 - 4 guests", "two, 10/14/2026", "$1,200 - 1,500", "$1,200 \u2013 $1,500", "$1500 - 2000",
    "US$1,250,000", "\xa31,250,000.00 / \u20ac1,400,000.00", "$1'250'000", "ends in 0142 (+1 5)",
    "204\n2. 305\n3. 410\n4. 512", "- 101\n- 102\n- 103\n- 104", "four zero eight two dash one seven",
    "one o'clock, two o'clock, three o'clock, four o'clock", "10 m\xb2, 20 m\xb2, 30 m\xb2", "1200 + 300",
    "1200 \xd7 1500", "555\x1e0142", "five five five\x1eoh one four two", "5\u0301 apples, 5\u0301 pears",
]


class MaskKinds(unittest.TestCase):
    """The rule goes by what characters are, not by a list of them; honest lists, dates and amounts stay."""

    def test_masked(self):
        for row in MASKED_TOO:
            with self.subTest(row):
                expected = re.sub("«(.*?)(..)»", lambda m: "#" * len(m[1]) + m[2], row, flags=re.DOTALL)
                self.assertEqual(mask_pii(re.sub("[«»]", "", row)), expected)

    def test_unmasked(self):
        for row in UNMASKED_TOO:
            with self.subTest(row):
                self.assertEqual(mask_pii(row), row)

    def test_masking_twice_is_masking_once(self):
        for row in MASKED_TOO + UNMASKED_TOO:
            with self.subTest(row):
                once = mask_pii(re.sub("[«»]", "", row))
                self.assertEqual(mask_pii(once), once)

    def characters(self, *categories):
        return [chr(code) for code in range(128, sys.maxunicode)
                if unicodedata.category(chr(code)) in categories]

    def test_every_separator_by_its_category(self):
        leaks = [character for character in self.characters(*"Zs Zl Zp Pd Ps Pe Pc Po Cf Mn Me Mc".split())
                 if mask_pii(f"555{character}0142") != "######42"]
        shapes = {unicodedata.normalize("NFKC", character)[0] for character in leaks}
        self.assertLessEqual(shapes, set("!?#%&*:@[]{}"))       # other forms of what separates no digits

    def test_every_dash_and_space_with_spaces_around(self):
        for before, after in (("555", "0142"), ("five five five", "oh one four two")):
            leaks = [character for character in self.characters("Zs", "Pd")
                     if mask_pii(f"{before} {character} {after}").strip("#") != after[-2:]]
            self.assertEqual(leaks, [])

    def test_every_digit_by_its_value(self):
        digits = [chr(code) for code in range(sys.maxunicode)
                  if unicodedata.digit(chr(code), None) is not None]
        self.assertEqual([digit for digit in digits if mask_pii(digit * 7) != "#####" + 2 * digit
                          or mask_pii(f"555-01{digit}2") != f"######{digit}2"], [])

    def test_a_number_cut_over_turns_after_a_dash(self):
        for first, second in (("It's 555 -", "0142."), ("It's 555-", "0142."), ("It's 555 \u2014", "0142."),
                              ("five five five -", "oh one four two"), ("five five five\u2026", "0142"),
                              ("Five five five.", "Oh one four two."), ("555,", "oh one four two")):
            with self.subTest(first=first, second=second):
                transcript = [{"speaker": "callee", "text": one} for one in (first, second)]
                call = read_call({"transcript": transcript}, "x")
                shown = " ".join(turn.text for turn in auditor.audit_task(call).dialogue.turns)
                self.assertNotRegex(shown.lower(), "[0-9]{3}|five|oh|one|four")

    def test_nothing_is_shown_in_any_format(self):
        said = ("A: 555 \u2013 0142? / C: \u2464\u2464\u2464\u24ea\u2460\u2463\u2461, "
                "or five. five. five. naught one seven seven.")
        call = record("The number 555 \u2014 0142 or 5, 5, 5, 0, 1, 7, 7 for room 12.", said)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "call.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(call, file)
            for form in ("json", "text", "html"):
                with self.subTest(form):
                    out = run("audit", path, "--format", form)[1]
                    self.assertNotRegex(out.lower(), r"0142|\b555\b|u2464|five|naught|5, 5, 5")
                    self.assertIn("12", out)

    def test_a_megabyte_is_soon_masked(self):
        for piece in ("5 ", "a5", "5, ", "five ", "five. ", "double ", "o ", "(5", "5....", "..... 5", "5 - ",
                      "$1,250,000 ", "10/14/2026 - ", "10/14 - 10/16 ", "5\u20e3", "\u0301", "\u2464 ",
                      "um, 5 ", "five\u200b ", "5 5 5 5 5 5 a", "5" + "-" * 9, "5" + " " * 39, "55:",
                      "1, 2, 3, 4, 5, 6, "):
            small, large = ("555 0142 " + piece * (size // len(piece)) for size in (10000, 80000))
            with self.subTest(piece):
                self.assertEqual(len(mask_pii(large)), len(large))
                self.assertTrue(grows_linearly(mask_pii, small, large))


# ---------------------------------------------------------------------------------------------- text

SENTENCES = [                   # a summary, and its sentences between bars
    ("The tiler came. He left!", "The tiler came.|He left!"),
    ("Open until 5 p.m. on weekdays.", "Open until 5 p.m. on weekdays."),
    ("Open until 5 p.m. Closed on Sundays.", "Open until 5 p.m.|Closed on Sundays."),
    ("Dr. Amaro waits at No. 5 on St. Olaf Lane.", "Dr. Amaro waits at No. 5 on St. Olaf Lane."),
    ("It costs $4.50 a jar. Cash only.", "It costs $4.50 a jar.|Cash only."),
    ("First line\nSecond line", "First line|Second line"),
    ("\u2022 A sink\n\u2022 A tap", "A sink|A tap"),
    ("1) The sink is white.\n2) The tap is new.", "The sink is white.|The tap is new."),
    ("Is it white? Yes.", "Is it white?|Yes."),
]


class Sentences(unittest.TestCase):
    """Where a sentence ends, and where not; list markers state nothing."""

    def test_sentences(self):
        for summary, expected in SENTENCES:
            with self.subTest(summary=summary):
                said = [claim.text.strip("\u2022 ") for claim in auditor.decompose_claims(summary)]
                said = [re.sub(r"^\d[.)]\s*", "", one) for one in said]
                self.assertEqual("|".join(dict.fromkeys(said)), expected)

    def test_list_markers_are_no_claims(self):
        for summary in ("1. Nice chat.", "1) Nice chat.\n2) Good mood."):
            with self.subTest(summary=summary):
                self.assertEqual({kind for kind, _ in claims(summary)}, {"non_checkable_opinion"})

    def test_no_number_crosses_a_change_of_speaker(self):
        rows = [("The code is 42.", "A: The code is four. / C: Two of us are here."),
                ("It is 2:30.", "A: At two. / C: Thirty.")]
        for summary, said in rows:
            with self.subTest(summary=summary):
                self.assertEqual(audit(summary, said)["verdict"], "UNSUPPORTED_CLAIMS")

    def test_fragments_of_one_speaker_are_one_utterance(self):
        card = audit("The rent is $1,450.", "A: The rent? / C: It's fourteen / C: fifty a month.")
        self.assertEqual(card["verdict"], "FAITHFUL")


# ---------------------------------------------------------------------------------------------- scan

NUMBERS = [                     # said, the canonical values that are read
    ("$45", "45"), ("45 dollars", "45"), ("45.50 euros", "45.50"), ("1,200 bricks", "1200"),
    ("a thousand and twenty last year", "1020"), ("sixty-four a dozen", "64"), ("a three-seater", "3"),
    ("the $52 two-person box", "52; 2"), ("a tenner", "10"), ("the crate, eighteen hundred to begin", "1800"),
    ("from twelve guests to nine", "12; 9"), ("pants is eighteen jacket sleeves is thirty two", "18; 32"),
    ("party of 4", "4"),
    ("4 guests", "4"), ("15%", "15"), ("fifteen per cent", "15"), ("order 48213", "48213"),
    ("room 204", "204"),
    ("the third floor", "3"), ("20 to 25 chairs", "20; 25"), ("four tents", "4"),
    ("twenty-five lamps", "25"), ("twenty five lamps", "25"), ("a hundred and five bulbs", "105"),
    ("one hundred five bulbs", "105"), ("twenty-two hundred dollars", "2200"),
    ("three point oh five percent", "3.05"),
    ("two and a half metres", "2.5"), ("a dozen eggs", "12"), ("half a dozen eggs", "6"),
    ("two dozen eggs", "24"),
    ("a couple of chairs", "2"), ("an hour and a half", "1.5"), ("thirty dollars fifteen", "30.15"),
    ("thirty dollars and fifteen cents", "30.15"), ("sixty cents", "0.60"), ("80 bucks", "80"),
    ("1.5k", "1500"),
    ("two and a half grand", "2500"), ("three thousand two hundred", "3200"), ("2 million", "2000000"),
    ("the code is two oh nine three", "2093"), ("room six forty-two", "642"),
    ("the code is nine double two", "922"),
    ("the code is oh six four two", "0642"), ("\u20ac30", "30"), ("\xa312.99", "12.99"),
    ("couple of weeks", "2"), ("forty nine month to month", "49"), ("three 1500-watt lamps", "3; 1500"),
    ("a group of 11 on Friday night", "11; friday"), ("nails: 5/5", "5; 5"), ("rated the lamp 4/5", "4; 5"),
    ("in November twenty twenty-four", "2024"), ("within the week", "1"), ("even twenty helps", "20"),
    ("a hundred and sixty-four thousand dollars", "164000"), ("an hour and a half", "1.5"),
    ("hour and a half, tops", "1.5"), ("$45 0 transfers", "45; 0"), ("it stays at 24.50", "24.50"),
    ("on a scale of 1 to 5", "1; 5"), ("will seat two on the terrace", "2"),
    ("third to the ninth", "day 3; day 9"),
    ("3-5 weeks", "3; 5"), ("chairs for six", "6"),
    ("double eights point five", "8.5"), ("half a dozen point oh one", "6.01"), ("sixty every", "60"),
    ("half a dozen", "6"), ("ten to twenty", "10; 20"),
    ("twenty Canadian dollars", "20"), ("a quarter of an hour and 20 minutes", "35"), ("10-15 minutes", "10; 15"),
]
NO_NUMBERS = ["one of the waiters", "no one called", "the other one", "one moment", "a lot of people",
              "someone"]
CLOCKS = [
    ("2 p.m.", "14:00"), ("2pm", "14:00"), ("2 PM", "14:00"), ("415 p.m.", "16:15"), ("14:00", "14:00"),
    ("from four this arvo", "16:00; today"),
    ("at 1430", "14:30"),
    ("2:30 p.m.", "14:30"), ("2.30 pm", "14:30"), ("half past two in the afternoon", "14:30"),
    ("noon", "12:00"),
    ("midnight", "00:00"), ("12 p.m.", "12:00"), ("12 a.m.", "00:00"), ("12:30 am", "00:30"),
    ("twenty to noon", "11:40"),
    ("quarter to five in the evening", "16:45"), ("ten past six in the morning", "06:10"),
    ("seven in the evening", "19:00"), ("9 tonight", "21:00; today"), ("seven oh five a.m.", "07:05"),
    ("between 2 and 4 p.m.", "14:00; 16:00"), ("from 9 to 11 a.m.", "09:00; 11:00"),
    ("9-11 a.m.", "09:00; 11:00"),
    ("11:15 a.m.", "11:15"), ("three o'clock in the afternoon", "15:00"),
    ("between ten and twelve in the morning", "10:00; 12:00"), ("at 1 PM stands", "13:00"),
    ("quarter to twelve in the morning", "11:45"), ("at twelve in the morning", "12:00"),
    ("after ten the night before", "22:00"),
    ("nine hundred hours", "09:00"), ("nineteen hundred hours", "19:00"),
    ("at eight in the morning", "08:00"), ("10 am to 12 pm", "10:00; 12:00"), ("10 to 12 pm", "10:00; 12:00"),
    ("ten a.m. to twelve p.m.", "10:00; 12:00"), ("two o clock in the afternoon", "14:00"),
    ("half four o clock in the morning", "04:30"), ("07:30-9:15", "07:30; 09:15"), ("at 0 p.m.", "00:00"),
    ("**9-11am**", "09:00; 11:00"), ("*5 p.m.* or #4", "17:00"),
]
EITHER_HALF = [                 # said without its half of the day, the two times it can be
    ("three thirty", "03:30 15:30"), ("at 2:30", "02:30 14:30"), ("two thirty", "02:30 14:30"),
    ("seven oh five", "07:05 19:05"), ("half past two", "02:30 14:30"), ("quarter to five", "04:45 16:45"),
    ("ten past six", "06:10 18:10"), ("three o'clock", "03:00 15:00"), ("at quarter past ten", "10:15 22:15"),
]
DATES = [
    ("October 14", "oct 14"), ("October 14th", "oct 14"), ("14 October", "oct 14"),
    ("the 14th of October", "oct 14"),
    ("Oct 14", "oct 14"), ("Oct. 14", "oct 14"), ("10/14", "oct 14"), ("10/14/2026", "oct 14"),
    ("2026-10-14", "oct 14"),
    ("June first, twenty twenty-six", "jun 1"), ("June 1, 2026", "jun 1"),
    ("the fourteenth of May", "may 14"),
    ("May fourteenth", "may 14"), ("14.10.2026", "oct 14"), ("September twenty-second", "sep 22"),
    ("Wednesday", "wednesday"), ("Weds", "wednesday"), ("on wednesdays", "wednesday"),
    ("Tuesday, June 2", "tuesday; jun 2"), ("August 3 to 5", "aug 3; aug 5"),
    ("March 30th at 4 p.m.", "mar 30; 16:00"),
    ("August 30 to 2 September", "aug 30; sep 2"), ("January 15-18 Dec", "jan 15; jan 18"),
]
NO_DATES = ["we may come", "she will march on", "the sun was out", "she sat down", "12/0"]
CALL_DAY = datetime.date(2026, 3, 11)                   # a Wednesday
RELATIVE = [                    # said in a call on that day, the date it means
    ("today", "mar 11"), ("tomorrow", "mar 12"), ("the day after tomorrow", "mar 13"),
    ("yesterday", "mar 10"),
    ("this Thursday", "mar 12"), ("next Friday", "mar 13"), ("next Friday", "mar 20"),
    ("in two weeks", "mar 25"),
    ("in three days", "mar 14"), ("two weeks from Monday", "mar 30"),
    ("the fourteenth", "mar 14"), ("the 14th", "mar 14"), ("on Saturday", "mar 14"), ("tonight", "mar 11"),
]
RELATIVE_NOT = [("tomorrow", "mar 13"), ("next Friday", "mar 27"), ("in two weeks", "mar 18"),
                ("the 14th", "mar 15"),
                ("the day after tomorrow", "mar 12"), ("this Thursday", "mar 19")]


def keys_of(said, dates=(), day_first=False):
    """Every reading of every mention in a text."""
    return {key for m in auditor.scan(auditor.Text(said, dates, day_first)) for key in m.keys}


class Scan(unittest.TestCase):
    """Numbers, clock times and dates, on both sides the same."""

    def test_tables(self):
        for table in (NUMBERS, CLOCKS, DATES):
            for said, expected in table:
                with self.subTest(said):
                    self.assertEqual(values(said), expected)
                    self.assertEqual(values("It was " + said + "."), expected)

    def test_near_misses(self):
        for said in NO_NUMBERS + NO_DATES[:-1]:
            with self.subTest(said):
                self.assertEqual(values(said), "")
        self.assertNotIn("dec", values(NO_DATES[-1]))

    def test_both_halves_of_the_day_are_readings(self):
        for said, expected in EITHER_HALF:
            with self.subTest(said):
                self.assertLessEqual(set(expected.split()), keys_of(said))

    def test_mentions_end_within_the_text(self):
        for said in ("sixty every", "$20 a", "at 2:30 o", "12pm o", "order 5 per"):
            with self.subTest(said):
                text = auditor.Text(said)
                self.assertTrue(all(m.last <= text.size for m in auditor.scan(text)))

    def test_other_readings(self):
        rows = [("it costs two fifty", {"2.5", "250"}), ("eighteen oh five", {"1805", "18.05"}),
                ("about three thousand eight", {"3008", "3800"}), ("two lakh five", {"200005", "250000"}),
                ("10-15 minutes", {"=time600", "=time900"})]
        for said, expected in rows:
            with self.subTest(said):
                self.assertLessEqual(expected, keys_of(said))

    def test_no_other_reading(self):
        rows = [("room three thousand eight", "3800"), ("three thousand and eighteen", "4800"),
                ("three hundred eight", "380"), ("thousand three", "1300"), ("eight thousand, three", "8300")]
        for said, wrong in rows:
            with self.subTest(said):
                self.assertNotIn(wrong, keys_of(said))

    def test_a_day_is_told_from_what_an_ordinal_counts(self):
        for said in ("Saturday the 28th both slots are gone", "the 14th may work", "the twentieth works"):
            with self.subTest(said):
                self.assertRegex(values(said), r"day \d\d$")
        for said in ("on Saturday the 28th floor is shut", "Monday the second payment is due", "the 5th one"):
            with self.subTest(said):
                self.assertNotIn("day ", values(said).replace("saturday", "").replace("monday", ""))

    def test_a_label_that_is_described_names_nothing(self):
        """Behind it may stand a price; a code stands behind the label alone, and behind "number"."""
        rows = [("on the upper floor 128", None), ("on floor 128", auditor.CODE), ("the room 128", auditor.CODE),
                ("the order number 128", auditor.CODE), ("the booking code 128", auditor.CODE)]
        for said, unit in rows:
            with self.subTest(said):
                self.assertEqual([m.unit for m in auditor.scan(auditor.Text(said))], [unit])

    def test_days_first(self):
        self.assertEqual(values("on 06/11", day_first=True), "nov 6")
        self.assertEqual(values("on 06/11"), "jun 11")
        self.assertEqual(values("on 25/11"), "nov 25")

    def test_dates_relative_to_the_call(self):
        for said, expected in RELATIVE:
            with self.subTest(said, date=expected):
                self.assertIn(expected, keys_of("We come " + said + ".", (CALL_DAY,)))
        for said, wrong in RELATIVE_NOT:
            with self.subTest(said, wrong=wrong):
                self.assertNotIn(wrong, keys_of("We come " + said + ".", (CALL_DAY,)))

    def test_no_date_without_a_call_date(self):
        for said in [*(said for said, _ in RELATIVE[:4]), "tomorrow fortnight", "a week on Friday"]:
            with self.subTest(said):
                keys = keys_of("We come " + said + ".")
                self.assertFalse([key for key in keys if key[:3] in auditor.MONTHS])

    def test_a_date_is_no_number(self):
        for said in ("on October 14", "at 2 p.m.", "on 10/14/2026", "at half past two"):
            with self.subTest(said):
                kinds = {m.kind for m in auditor.scan(auditor.Text(said))}
                self.assertEqual(kinds, {"date_time"})

    def test_spelled_and_typed_numbers_are_the_same(self):
        names = [word for word, n in auditor.CARDINALS.items() if 0 < n < 10]
        for n in range(21, 100):
            if n % 10:
                tens = next(word for word, value in auditor.CARDINALS.items() if value == n - n % 10)
                ones = next(word for word in names if auditor.CARDINALS[word] == n % 10)
                for said in (f"{tens}-{ones} lamps", f"{tens} {ones} lamps", f"{n} lamps"):
                    with self.subTest(said):
                        self.assertEqual(values(said), str(n))


# -------------------------------------------------------------------------------------------- claims

CLAIMS = [                      # summary, its checkable claims
    ("Booked for 4 at 2 p.m.", "outcome book; numeric 4; date_time 14:00"),
    ("The fitter confirmed Tuesday and will text the address.",
     "outcome confirm; date_time tuesday; action text"),
    ("The boiler service costs $140, plus $25 for parts.", "numeric 140; numeric 25"),
    ("Two tickets, two programmes.", "numeric 2; numeric 2"),
    ("The tour starts at 10 a.m. and again at 10 a.m.", "date_time 10:00"),
    ("An invoice will be emailed.", "action email"),
    ("The office will call back on Monday.", "action call back; date_time monday"),
    ("The shop agreed to send a courier.", "outcome accept; action send"),
    ("The garage is going to call back.", "action call back"),
    ("Agent to follow up on Friday.", "action follow up; date_time friday"),
    ("The call went to voicemail.", "outcome voicemail"),
    ("Nobody answered.", "outcome no-answer"),
    ("The number was wrong.", "outcome wrong-number"),
    ("The owner asked not to be called again.", "outcome opt-out"),
    ("The pool is fully booked.", "outcome unavailable"),
    ("unit_price=22.50, hold_hours=24", "numeric 22.50; numeric 24"),
    ("Open from 9 to 11 a.m.", "date_time 09:00; date_time 11:00"),
    ("They meet on 3 June 2026 at noon.", "date_time jun 3; date_time 12:00"),
]
UNTOLD = [                      # wishes, purposes, questions, conditions, futures: no outcome is told
    "Called to confirm the visit.", "The agent called to reschedule.", "She asked whether to cancel.",
    "He rang in order to book a court.", "They wanted to cancel the class.", "Did they confirm?",
    "If they confirm, a deposit is due.", "The school will call back to confirm.", "He hopes to book soon.",
    "She was asked to confirm the visit.", "The agent tried to reschedule.", "They may cancel.",
]
TOLD = [                        # an outcome and its sign
    ("The visit was confirmed.", "confirm +"), ("The visit was not confirmed.", "confirm -"),
    ("They did not confirm the visit.", "confirm -"), ("They didn't confirm the visit.", "confirm -"),
    ("The lesson could not be booked.", "fail -"), ("The lesson was unavailable.", "unavailable -"),
    ("The visit for Monday was cancelled.", "cancel -"), ("A table for four is booked.", "book +"),
    ("The payment for the boat was unsuccessful.", "fail -"), ("The offer was accepted.", "accept +"),
    ("The reservation was made.", "book +"), ("The request was approved.", "accept +"),
    ("The agent was unable to reschedule.", "reschedule -"), ("The order was never cancelled.", "cancel +"),
    ("The order was cancelled.", "cancel -"), ("He declined the upgrade.", "decline -"),
    ("She accepted the offer.", "accept +"), ("The order was paid.", "pay +"),
]
SPANS = [                       # summary, what the claims' spans cut out of it
    ("Booked for 4 at 2 p.m.", "Booked|4|2 p.m"), ("It costs $45.50 a day.", "$45.50"),
    ("A rise of 15% is due.", "15%"),
    ("Caf\xe9 table \u2013 October 14th, party of 4.", "October 14th|4"),
    ("They will call back soon.", "will call"), ("He gave code KX-72 to Gary Ames.", "KX-72|Gary Ames"),
    ("Ring +1 555-0142 about 12 chairs.", "12"),
]
UNCHECKED = [
    ("A friendly talk.", "non_checkable_opinion"), ("The number is 555-0142.", "non_checkable_masked"),
    ("Ring five five five, oh one four two.", "non_checkable_masked"), ("", None),
]


class Claims(unittest.TestCase):
    """What a summary states: all of it, once, and no wishes."""

    def test_kinds_and_values(self):
        for summary, expected in CLAIMS:
            with self.subTest(summary=summary):
                found = [f"{kind} {value}" for kind, value in claims(summary)]
                self.assertEqual(sorted(found), sorted(expected.split("; ")))

    def test_claims_stand_in_the_order_of_the_summary(self):
        found = auditor.decompose_claims("At 9 a.m. on Monday, 3 crates were booked and will be shipped.")
        spans = [claim.span for claim in found]
        self.assertEqual(spans, sorted(spans))

    def test_what_is_not_told_is_no_outcome(self):
        for summary in UNTOLD:
            with self.subTest(summary=summary):
                self.assertNotIn("outcome", [kind for kind, _ in claims(summary)])

    def test_negation_turns_the_sign(self):
        for summary, expected in TOLD:
            with self.subTest(summary=summary):
                found = [claim for claim in auditor.decompose_claims(summary) if claim.kind == "outcome"]
                signs = ["-+"[auditor.is_positive(claim)] for claim in found]
                self.assertIn(expected, [f"{claim.value} {sign}" for claim, sign in zip(found, signs)])

    def test_spans_cut_the_surface_out(self):
        for summary, expected in SPANS:
            with self.subTest(summary=summary):
                masked = mask_pii(summary)
                found = [claim for claim in auditor.decompose_claims(masked) if claim.kind[:4] != "non_"]
                cut = [masked[slice(*claim.span)] for claim in found]
                self.assertEqual(len(cut), len(expected.split("|")))
                for surface, wanted in zip(cut, expected.split("|")):
                    self.assertIn(wanted, surface)

    def test_nothing_to_check(self):
        for summary, kind in UNCHECKED:
            with self.subTest(summary=summary):
                self.assertEqual([found for found, _ in claims(summary)], [kind] if kind else [])


# ------------------------------------------------------------------------------------ anchor: values

VALUES = [                      # each honest row beside a fabricated one
    ("Four kayaks are kept.", "C: I have four kayaks for you.", "4 SUPPORTED"),
    ("Five kayaks are kept.", "C: I have four kayaks for you.", "5 UNSUPPORTED"),
    ("The permit costs $45.", "C: It's forty-five dollars.", "45 SUPPORTED"),
    ("The permit costs $54.", "C: It's forty-five dollars.", "54 UNSUPPORTED"),
    ("The permit costs $45.", "C: It's $45.00.", "45 SUPPORTED"),
    ("The stamp costs $0.60.", "C: Sixty cents.", "0.60 SUPPORTED unit_conversion"),
    ("The stamp costs $0.90.", "C: Sixty cents.", "0.90 UNSUPPORTED"),
    ("The refund takes 48 hours.", "C: That takes two days.", "48 SUPPORTED unit_conversion"),
    ("The refund takes 72 hours.", "C: That takes two days.", "72 UNSUPPORTED"),
    ("The hike takes 90 minutes.", "C: It's an hour and a half.", "90 SUPPORTED unit_conversion"),
    ("The hike takes 95 minutes.", "C: It's an hour and a half.", "95 UNSUPPORTED"),
    ("There are 12 bulbs in a box.", "C: You get a dozen.", "12 SUPPORTED unit_conversion"),
    ("There are 10 bulbs in a box.", "C: You get a dozen.", "10 UNSUPPORTED"),
    # units
    ("The fee is $20.", "C: It takes 20 minutes.", "20 UNSUPPORTED"),
    ("The fee is $20.", "C: The fee is twenty.", "20 SUPPORTED"),
    ("It takes 20 minutes.", "C: It takes 20 minutes.", "20 SUPPORTED"),
    ("A party of 4.", "C: Come at 4 p.m.", "4 UNSUPPORTED"),
    ("A party of 4.", "C: Come on October 4.", "4 UNSUPPORTED"),
    ("A party of 4.", "C: A table for four then.", "4 SUPPORTED"),
    # codes
    ("The gate code is 2093.", "C: It's two oh nine three.", "2093 SUPPORTED"),
    ("The gate code is 2039.", "C: It's two oh nine three.", "2039 UNSUPPORTED"),
    ("Order 48213 is ready.", "C: Order 48213 is on the shelf.", "48213 SUPPORTED"),
    ("Order 48213 is ready.", "C: Order 48218 is on the shelf.", "48213 UNSUPPORTED"),
    # ranges
    ("The repair takes 3 to 5 days.", "C: Three to five days.", "3 SUPPORTED; 5 SUPPORTED"),
    ("The repair takes 3 to 6 days.", "C: Three to five days.", "3 SUPPORTED; 6 UNSUPPORTED"),
    # days, dates, weekdays
    ("The visit is on October 14.", "C: The fourteenth of October.", "oct 14 SUPPORTED"),
    ("The visit is on October 15.", "C: The fourteenth of October.", "oct 15 UNSUPPORTED"),
    ("The visit is on 10/14.", "C: October fourteenth.", "oct 14 SUPPORTED"),
    ("The visit is on Tuesday.", "C: Tues works.", "tuesday SUPPORTED"),
    ("The visit is on Thursday.", "C: Tues works.", "thursday UNSUPPORTED"),
    # clock times
    ("We meet at 2 p.m.", "C: At 14:00.", "14:00 SUPPORTED"),
    ("We meet at 3:30 p.m.", "C: Three thirty, then.", "15:30 SUPPORTED ambiguous_reading"),
    ("We meet at 3:40 p.m.", "C: Three thirty, then.", "15:40 UNSUPPORTED"),
    ("The ferry goes at 11:15 a.m.", "C: It goes at 11:15 a.m.", "11:15 SUPPORTED"),
    ("The ferry goes at 11:15 p.m.", "C: It goes at 11:15 a.m.", "23:15 UNSUPPORTED"),
    ("The bakery opens at 7 a.m.", "C: At seven in the morning.", "07:00 SUPPORTED"),
    ("The bakery opens at 7 p.m.", "C: At seven in the morning.", "19:00 UNSUPPORTED"),
    ("The slot is between 2 and 4 p.m.", "C: Between two and four in the afternoon.",
     "14:00 SUPPORTED; 16:00 SUPPORTED"),
    ("The slot is between 2 and 5 p.m.", "C: Between two and four in the afternoon.",
     "14:00 SUPPORTED; 17:00 UNSUPPORTED"),
    ("The slot is from 10 to 2.", "A: Which slot? / C: Sunday ten to two.",
     "10:00 SUPPORTED ambiguous_reading; 14:00 SUPPORTED ambiguous_reading"),
    ("The slot is at 11.", "A: Which slot? / C: Sunday ten to two.", "11:00 UNSUPPORTED"),
    ("He is done by 6:15.", "C: I'm out by six, quarter past at the most.", "18:15 SUPPORTED loose_reading"),
    ("He is done by 6:45.", "C: I'm out by six, quarter past at the most.", "18:45 UNSUPPORTED"),
    ("It takes an hour and a quarter.", "C: I can do an hour fifteen.", "1.25 SUPPORTED unit_conversion"),
    ("It takes an hour and a half.", "C: I can do an hour fifteen.", "1.5 UNSUPPORTED"),
    ("It is R24,500.", "C: That one was thirty-two thousand, this is twenty-four and a half.",
     "24500 SUPPORTED loose_reading"),
    ("It is R26,500.", "C: That one was thirty-two thousand, this is twenty-four and a half.", "26500 UNSUPPORTED"),
    ("From 2 November the 12 loaves are white.", "C: Twelve loaves, from the second of November.",
     "nov 2 SUPPORTED; 12 SUPPORTED"),
    ("Vans come from 5 onwards.", "C: In the evening, from five.", "17:00 SUPPORTED ambiguous_reading"),
    ("Vans come from 6 onwards.", "C: In the evening, from five.", "18:00 UNSUPPORTED"),
    ("It is £110.", "C: So a hundred an ten.", "110 SUPPORTED"),
    ("It is ₹13,500.", "C: The tubular is thirteen five.", "13500 SUPPORTED loose_reading"),
    ("It is $380.", "C: From the main floor, three eighty.", "380 SUPPORTED ambiguous_reading"),
    ("It is $390.", "C: From the main floor, three eighty.", "390 UNSUPPORTED"),
    ("The second is £45.", "A: The second is forty-five. / C: Hundred and ten, then.", "45 SUPPORTED"),
    ("They want 5/16\" spouts.", "C: 5/16 inch, please.", "0.3125 SUPPORTED"),
    ("Sunday would be €170.", "A: Sunday in the family room is 170.", "170 SUPPORTED"),
    ("Go to room 170.", "A: It is room 170.", "170 SUPPORTED"),
    ("She had heard ₹1.8 lakh.", "C: My neighbour told one lakh eighty.", "180000 SUPPORTED loose_reading"),
    ("She had heard ₹1.7 lakh.", "C: My neighbour told one lakh eighty.", "170000 UNSUPPORTED"),
    # thousands that are left unsaid beside others of their size
    ("All of it is ₹30,000.", "C: It was 32 thousand. Okay, thirty total.", "30000 SUPPORTED loose_reading"),
    ("All of it is ₹30,000.", "C: It was 2 thousand. Okay, thirty total.", "30000 UNSUPPORTED"),
    ("They offer ₹15.5 lakh.", "C: I was at fourteen lakh, they say fifteen and a half.", "1,550,000 SUPPORTED loose_reading"),
    ("They offer ₹15 lakh.", "C: I was at fourteen lakh, they say fifteen.", "1,500,000 SUPPORTED loose_reading"),
    ("They offer ₹15.5 lakh.", "C: I was at four lakh, they say fifteen and a half.", "1,550,000 UNSUPPORTED"),
    ("Service is ₹7,200.", "C: service is seven thousand two hundred bushes are four", "7200 SUPPORTED"),
    ("Service is ₹7,200.", "C: we have seven thousand two hundred bushes", "7200 UNSUPPORTED"),
    ("Come at 12:30.", "C: wednesday the ninth half twelve fourteen", "12:30 SUPPORTED; FAITHFUL"),
    ("It is ₹2.5 lakh.", "C: two and half lakhs", "250000 SUPPORTED"),
    ("It is ₹2.5 lakh.", "C: two and half past one", "250000 UNSUPPORTED"),
    ("He has 1 dog.", "C: It's just a dog.", "1 SUPPORTED loose_reading"),
    ("He has 1 dog.", "C: It's the dog.", "1 UNSUPPORTED"),
    ("He has 1 owl.", "C: It's just an owl.", "1 SUPPORTED loose_reading"),
    ("It is $500.", "C: It was six hundred, half of it now.", "500 UNSUPPORTED"),
    ("It is R24,300.", "C: That one was thirty-two thousand, this is twenty-four and a half.", "24300 UNSUPPORTED"),
    ("He was born 12 May 1984.", "C: twelve five nineteen eighty four", "may 12 SUPPORTED loose_reading"),
    ("She comes on December 12.", "C: twelve december, guests permitting", "dec 12 SUPPORTED"),
    ("She stays October 20-23.", "C: from the twentieth of october for three nights", "oct 23 UNFLAGGED"),
    ("She stays October 20-23.", "C: from the twentieth of october for two nights", "oct 23 UNSUPPORTED"),
    ("It needs 20-amp circuits.", "C: two twenty amp circuits", "20 SUPPORTED loose_reading"),
    ("It needs 20-amp circuits.", "C: one twenty amp circuit", "20 UNSUPPORTED"),
    ("There are 50 stools.", "C: three fifty stools", "50 UNSUPPORTED"),
    ("It is $50 down.", "C: four fifty down", "50 UNSUPPORTED"),
    ("There is a 1% fee.", "C: There is a fee.", "1 UNSUPPORTED"),
    ("It is R24,500.", "C: That one is twenty-four and a half.", "24500 SUPPORTED loose_reading"),
    ("It is gate B14.", "C: gate bee fourteen", "B14 SUPPORTED loose_reading"),
    ("It is gate B14.", "C: gate cee fourteen", "B14 UNSUPPORTED"),
    ("The score was 9 out of 10.", "C: I'd say nine.", "9 SUPPORTED; FAITHFUL"),
    ("The score was 9 out of 12.", "C: I'd say nine.", "12 UNSUPPORTED"),
    ("It runs every 2 weeks.", "C: every other week", "2 SUPPORTED loose_reading"),
    ("It runs every 2 weeks.", "C: every third week", "2 UNSUPPORTED"),
    ("It takes 24 hours.", "C: twice a day", "24 UNSUPPORTED"),
    ("It takes 2 days.", "C: every other day", "2 SUPPORTED loose_reading"),
    ("It takes 2 days.", "C: I saw him the other day", "2 UNSUPPORTED"),
    ("It takes 3 months.", "C: every quarter", "3 SUPPORTED loose_reading"),
    ("It takes 3 months.", "C: come at quarter past", "3 UNSUPPORTED"),
    ("It takes 6 months.", "C: half a year", "6 SUPPORTED unit_conversion"),
    ("It takes 6 months.", "C: come at half past two", "6 UNSUPPORTED"),
    ("It is due on 10/30.", "C: come at ten thirty", "oct 30 UNSUPPORTED"),
    ("She comes on December 12.", "C: twelve december is fine", "dec 12 SUPPORTED"),
    ("It is 2 km away.", "C: about two kays", "2 SUPPORTED"),
    ("He was born 12 May 1984.", "C: twelve five eighty four", "may 12 SUPPORTED loose_reading"),
    ("He was born 12 May 1984.", "C: may twelve eighty four", "may 12 SUPPORTED"),
    ("He was born 12 May 1984.", "C: twelve six eighty four", "may 12 UNSUPPORTED"),
    ("The card expires 08/27.", "C: oh eight twenty seven", "aug 27 SUPPORTED loose_reading"),
    ("The card expires 08/27.", "C: oh eight twenty six", "aug 27 UNSUPPORTED"),
    ("It is due on December 25.", "C: by christmas please", "dec 25 SUPPORTED loose_reading"),
    ("It is due on November 5.", "C: before bonfire night", "nov 5 SUPPORTED loose_reading"),
    ("It is due on November 5.", "C: before christmas", "nov 5 UNSUPPORTED"),
    ("Open Monday to Friday.", "C: weekdays only", "monday SUPPORTED loose_reading; friday SUPPORTED loose_reading"),
    ("Open on Tuesday.", "C: weekdays only", "tuesday UNSUPPORTED"),
    ("Come at 12:30.", "C: half a dozen twelve thirteen", "12:30 UNSUPPORTED"),
    ("She paid for five March lessons.", "C: There were five.", "5 SUPPORTED; FAITHFUL"),
    ("She comes on 5 March.", "C: There were five.", "mar 5 UNSUPPORTED"),
    ("All of it is ₹30,000.", "C: It was 32 thousand, for thirty guests.", "30000 UNSUPPORTED"),
    ("The scooter is ₹4,500.", "C: Four thousand? No, four and a half.", "4500 SUPPORTED loose_reading"),
    ("The scooter is ₹4,500.", "C: It weighs four and a half tons.", "4500 UNSUPPORTED"),
    ("Galas are $1.29.", "C: A buck twenty nine.", "1.29 SUPPORTED loose_reading"),
    # amounts as they are written in many countries: no codes, and not left unread
    ("It is RM90.", "C: Ninety ringgit.", "90 SUPPORTED"),
    ("It is Rs1,250.", "C: Twelve hundred and fifty.", "1250 SUPPORTED"),
    ("It is KSh80.", "C: Ninety shillings.", "80 UNSUPPORTED"),
    ("It is R20 000 in all.", "C: Twenty thousand rand.", "20000 SUPPORTED"),
    ("It is AUD50.", "C: Fifty dollars.", "50 SUPPORTED"),
    ("It is R20k.", "C: Twenty thousand rand.", "20000 SUPPORTED"),
    ("It is \u20a660.", "C: Sixty naira.", "60 SUPPORTED"),
    ("It is \u20a670.", "C: Sixty naira.", "70 UNSUPPORTED"),
    ("It is \u20b1849.50.", "C: Eight hundred forty nine pesos fifty centavos.", "849.50 SUPPORTED"),
    ("The code is RX90.", "C: The code is RX90.", "RX90 SUPPORTED"),
    ("Galas are $2.29.", "C: A buck twenty nine.", "2.29 UNSUPPORTED"),
    ("He has two 33-seaters.", "C: I've two thirty-threes.", "33 SUPPORTED loose_reading"),
    ("He has two 34-seaters.", "C: I've two thirty-threes.", "34 UNSUPPORTED"),
    # what a summary may have reckoned is no fabrication, and not borne out
    ("The start costs $361.50.", "C: $337.50 and a 24 dollar fee.", "361.50 UNDECIDED"),
    ("The start costs $362.50.", "C: $337.50 and a 24 dollar fee.", "362.50 UNSUPPORTED"),
    ("She wants 9 bags.", "C: Five bags, and then four bags.", "9 UNSUPPORTED"),
    ("It is \u20b10.50.", "C: Fifty centavos.", "0.50 SUPPORTED unit_conversion"),
    # behind the label of a code they are codes, letters and all
    ("The reference is RM4471.", "C: The reference is R M four four seven one.", "RM4471 SUPPORTED loose_reading"),
    ("The reference is RM4471.", "C: The reference is K M four four seven one.", "RM4471 UNSUPPORTED"),
    # parts of a measure: no dates, no two numbers
    ("She takes 1/4 lb of ham.", "C: A quarter pound of ham.", "0.25 SUPPORTED loose_reading"),
    ("She takes 3/4 lb of ham.", "C: A quarter pound of ham.", "0.75 UNSUPPORTED"),
    ("It needs a 3/4-inch bolt.", "C: The three quarter bolt.", "0.75 SUPPORTED loose_reading"),
    ("It needs a 2 5/16-inch ball.", "C: Two and five sixteenths.", "2.3125 SUPPORTED loose_reading"),
    ("It needs a 2 5/16-inch ball.", "C: A two inch ball.", "2.3125 UNSUPPORTED"),
    ("It needs an 11/16-inch ball.", "C: An eleven sixteenths ball.", "0.6875 SUPPORTED loose_reading"),
    ("The rate is 6.625%.", "C: It's six and five eighths.", "6.625 SUPPORTED loose_reading"),
    ("The rate is 6.625%.", "C: It's six and five.", "6.625 UNSUPPORTED"),
    ("Come on 3/4 in the morning.", "C: The fourth of March, in the morning.", "mar 4 SUPPORTED"),
    # slang and spoken shapes
    ("A tart is $2.", "C: A tart's a toonie.", "2 SUPPORTED"),
    ("A tart is $3.", "C: A tart's a toonie.", "3 UNSUPPORTED"),
    ("The cover is $250,000.", "C: Two hundred and fifty thou.", "250000 SUPPORTED"),
    ("It is 40 km away.", "C: About forty klicks.", "40 SUPPORTED"),
    ("The van comes around 4 p.m.", "C: This arvo about fourish.", "16:00 SUPPORTED"),
    ("The van comes around 5 p.m.", "C: This arvo about fourish.", "17:00 UNSUPPORTED"),
    ("Lunch is at 12 p.m.", "C: Swing by noonish.", "12:00 SUPPORTED"),
    ("Boarding is at 9 a.m.", "C: Oh nine hundred sharp.", "09:00 SUPPORTED ambiguous_reading"),
    ("Boarding is at 8 a.m.", "C: Oh nine hundred sharp.", "08:00 UNSUPPORTED"),
    ("It bakes for 60 more minutes.", "C: Another hour.", "60 SUPPORTED unit_conversion"),
    ("The gauge reads 72-73%.", "C: It says seventy two seventy three.",
     "72 SUPPORTED loose_reading; 73 SUPPORTED loose_reading"),
    ("The gate closes at 10:20.", "C: It goes at ten thirty-five, so twenty past.", "10:20 SUPPORTED loose_reading"),
    ("The gate closes at 11:20.", "C: It goes at ten thirty-five, so twenty past.", "11:20 UNSUPPORTED"),
    ("It is one part bleach to 4 parts water.", "C: one to for parts water", "4 SUPPORTED loose_reading"),
    ("They want a table for 2.", "C: It's just me and my wife.", "2 SUPPORTED loose_reading"),
    ("They want a table for 3.", "C: It's just me and my wife.", "3 UNSUPPORTED"),
    ("He sent 2 strong people.", "C: Send two strong lads.", "2 SUPPORTED"),
    ("The flat rate is $150.", "C: Forty an hour, or a flat one fifty.", "150 SUPPORTED ambiguous_reading"),
    ("The flat rate is $115.", "C: Forty an hour, or a flat one fifty.", "115 UNSUPPORTED"),
    ("A harp is $165, a lute $130.", "C: harps one sixty five lutes one thirty",
     "165 SUPPORTED ambiguous_reading; 130 SUPPORTED ambiguous_reading"),
    ("They open from 4 to 5:30 p.m.", "C: Nine till eleven of a morning or four to half five.",
     "17:30 SUPPORTED ambiguous_reading"),
    ("They open from 4 to 6:30 p.m.", "C: Nine till eleven of a morning or four to half five.", "18:30 UNSUPPORTED"),
    # behind a capitalised label a number counts nothing
    ("She wants a mid-term Class 3 seat.", "C: Class 3? Two seats are left.", "3 SUPPORTED"),
    ("She wants a mid-term Class 4 seat.", "C: Class 3? Two seats are left.", "4 UNSUPPORTED"),
    ("The chips cost $60 to haul.", "C: i haul em for sixty most folks keep em", "60 SUPPORTED"),
    # other readings
    ("A coffee is $2.50.", "C: It's two fifty.", "2.50 SUPPORTED ambiguous_reading"),
    ("A night is $250.", "C: It's two fifty.", "250 SUPPORTED ambiguous_reading"),
    ("A night is $520.", "C: It's two fifty.", "520 UNSUPPORTED"),
    # told instead: what stood in its place is told nowhere; where nothing did, or in words of no row: said
    ("The class is at 8 p.m.", "A: Is 7 p.m. free? / C: Seven is taken, I have 8 p.m. / A: Fine.",
     "20:00 SUPPORTED"),
    ("The class is at 7 p.m.", "A: Is 7 p.m. free? / C: Seven is taken, I have 8 p.m. / A: Fine.",
     "19:00 UNSUPPORTED superseded"),
    ("The order is for five lamps.", "C: I need four lamps, sorry, five lamps.", "5 SUPPORTED"),
    ("The order is for four lamps.", "C: I need four lamps, sorry, five lamps.", "4 UNSUPPORTED superseded"),
    ("The order is for four lamps.", "C: Four lamps. No, sorry, five. / A: Five? / C: No, four after all.",
     "4 SUPPORTED"),
    ("It is on Monday at 9:30.", "A: We have 9:30 or 13:00. / C: Could I take the one o'clock? / A: Sure.",
     "09:30 UNSUPPORTED superseded"),
    ("It is ready on Thursday.", "A: They said Thursday. / C: It'll be Saturday now.", "thursday SUPPORTED"),
    ("She may pay by the 20th depending on her wages.",
     "A: By the twentieth? / C: Maybe.", "day 20 SUPPORTED"),
    # told instead: what was not chosen, what was moved, what another took the place of
    ("The fitting is on Tuesday.", "A: I have Tuesday at nine or Friday at two. / C: Friday suits me.",
     "tuesday UNSUPPORTED superseded"),
    ("The fitting is on Friday.", "A: I have Tuesday at nine or Friday at two. / C: Friday suits me.",
     "friday SUPPORTED"),
    ("The fitting is on Tuesday.", "A: I have Tuesday at nine or Friday at two. / C: Is Friday with Olga?",
     "tuesday SUPPORTED"),
    ("The fitting stays on May 4.", "A: It is on May 4. / C: I'm away. / A: It's moved to May 9, then.",
     "may 4 UNSUPPORTED superseded"),
    ("The fitting on May 4 was moved to May 9.",
     "A: It is on May 4. / C: I'm away. / A: It's moved to May 9, then.", "may 4 SUPPORTED; may 9 SUPPORTED"),
    ("The driver comes at 5 a.m.", "C: We come at 5 a.m. / A: We open at six. / C: Six, then.",
     "05:00 SUPPORTED"),                                        # a bare six may be no hour: not decided
    ("The slot is at 3 p.m.", "A: I have 3 p.m. free. / C: Lovely. / A: Oh, that slot is gone.",
     "15:00 SUPPORTED"),
    ("The table is at 7 p.m.", "A: Saturday at 7 p.m.? / C: At 7 p.m. we're fully booked.",
     "19:00 SUPPORTED"),
    ("The dog comes on May 22.", "A: From May 22? / C: We're full from May 22. / A: May 23, then?",
     "may 22 SUPPORTED"),
    ("It is booked from May 22 to 29.",
     "A: May 22 to 29? / C: We're full from the 22nd. / A: The 23rd, then?",
     "book CONTRADICTED; may 22 SUPPORTED"),
    ("The service is on Friday.", "A: Could we come on Friday? / C: Friday? No, I'm at work.",
     "friday SUPPORTED"),
    ("It is open until 7 p.m. today.",
     "A: Open until 7 p.m. today, and tomorrow from nine. / C: Tomorrow then.",
     "FAITHFUL"),
    ("They need 50 chairs.", "A: Fifty chairs. / C: No, forty.", "50 UNSUPPORTED superseded"),
    ("The order is for 4 trays.", "A: Still four trays? / C: Drop that to three.", "4 SUPPORTED"),
    ("The 2019 van needs eight tyres.", "A: Tyres for a 2019 van? / C: Got eight.", "2019 SUPPORTED"),
    # what a value is said of is not judged: a value that was said is evidence
    ("On Monday it opens at 9 a.m.", "C: Saturday nine to one and Monday ten to two.",
     "09:00 SUPPORTED ambiguous_reading"),
    ("A seat by the window is £9.", "C: By the window it's sixteen fifty, by the stove nine.", "9 SUPPORTED"),
    ("Done. adult_price=22, child_price=14", "C: Adults are twenty-two, children fourteen.",
     "22 SUPPORTED; 14 SUPPORTED"),
    ("Done. adult_price=14, child_price=22", "C: Adults are twenty-two, children fourteen.",
     "14 SUPPORTED; 22 SUPPORTED"),
    ("It costs $600 to $800.", "C: Between six and eight hundred dollars.",
     "600 SUPPORTED ambiguous_reading; 800 SUPPORTED"),
    ("It is open Monday to Friday.", "C: Just come, mon to fri.", "monday SUPPORTED; friday SUPPORTED"),
    ("It is open Monday to Saturday.", "C: Just come, mon to fri, she sat down.", "saturday UNSUPPORTED"),
    ("The nights are November 20 and 27.", "C: The twentieth, twenty-first and twenty-seventh of November.",
     "nov 20 SUPPORTED; 27 SUPPORTED"),
    ("The hire ends on December 26.", "C: From the 19th of December, back on the 26th.",
     "dec 26 SUPPORTED call_date"),
    ("Packing is $150 more.", "C: Packing is another hundred and fifty dollars.", "150 SUPPORTED"),
    ("The shelf is 10 by 10.", "C: It's ten by ten.", "10 SUPPORTED"),
    ("The key is at 14 Elm Street.", "C: Come to 14 Elm Street.", "14 SUPPORTED"),
    # both stand
    ("The tours are at 9 a.m. and 11 a.m.", "C: We have 9 a.m. and 11 a.m.",
     "09:00 SUPPORTED; 11:00 SUPPORTED"),
    # of two offered the one that was picked; picked by a part of the day or by its place, both count as said
    ("The sailing is at 7 AM.",
     "A: There's one at seven in the morning and one at seven in the evening. / C: The evening one.",
     "07:00 SUPPORTED"),
    ("The sailing is at 7 PM.", "A: There's one at seven in the morning and one at seven in the evening. / "
     "C: The evening one.", "19:00 SUPPORTED"),
    ("The sailing is at 9:10.", "A: Nine ten, or noon? / C: The later one.",
     "09:10 SUPPORTED ambiguous_reading"),
    ("He is down for Monday at 9.",
     "A: Monday at nine or Tuesday at five? / C: Monday I work. Tuesday, then. / A: Tuesday at five it is.",
     "monday UNSUPPORTED superseded"),
    # taken back later than at once
    ("The trip costs $42.", "C: It's forty-two dollars. / A: Forty-two, thanks. / "
     "C: Oh, hang on, that's the old sheet. It's forty-seven.", "42 UNSUPPORTED superseded"),
    ("The trip costs $47.", "C: It's forty-two dollars. / A: Forty-two, thanks. / "
     "C: Oh, hang on, that's the old sheet. It's forty-seven.", "47 SUPPORTED"),
    # told as asked, whatever came of it
    ("The owner asked for 60 tiles.", "C: Sixty tiles. Oh, sorry, ninety.", "60 SUPPORTED"),
    ("The owner first said 60 tiles, then corrected it to 90.", "C: Sixty tiles. Oh, sorry, ninety.",
     "60 SUPPORTED; 90 SUPPORTED"),
    ("The ferry leaves on Friday at 8.",
     "A: Friday at eight has room. / C: How long is it? / A: Two hours. / C: No thanks. Noon on Saturday.",
     "friday SUPPORTED"),
    ("The shed costs $85.",
     "A: He was told eighty-five dollars. / C: No, that was in spring. It's ninety-nine now.",
     "85 UNSUPPORTED superseded"),
    ("The yard has 12 bags of sand.", "A: Twelve bags of sand, please. / C: Of sand I've only five left.",
     "12 SUPPORTED"),
    ("The yard has 5 bags of sand.", "A: Twelve bags of sand, please. / C: Of sand I've only five left.",
     "5 SUPPORTED"),
    # an option told beside the one that was taken is no claim of what came out
    ("Noon is free and 2:30 PM costs $35; the noon option was taken.", "C: I can do noon for free, or two "
     "thirty in the afternoon for thirty-five dollars. / A: Noon is enough.", "FAITHFUL"),
    ("The visit was booked for 2:30 PM.", "C: I can do noon for free, or two thirty in the afternoon for "
     "thirty-five dollars. / A: Noon is enough.", "14:30 UNSUPPORTED superseded"),
    ("The shed costs $85 with no extra fee.", "A: Is it eighty-five dollars? / C: No, it's ninety-nine.",
     "85 UNSUPPORTED superseded"),
    # two values that traded their places count as said
    ("Lamp $240, rug $79.", "C: The lamp is seventy-nine. The rug is two hundred forty.",
     "240 SUPPORTED; 79 SUPPORTED"),
    ("Lamp $79, rug $240.", "C: The lamp is seventy-nine. The rug is two hundred forty.",
     "79 SUPPORTED; 240 SUPPORTED"),
    ("It is open until 4 PM on Tuesdays and until 8 PM on Fridays.",
     "C: Tuesdays till eight in the evening. Fridays till four in the afternoon.",
     "16:00 SUPPORTED"),
    ("The deposit is $4,800.",
     "C: The hire is four thousand eight hundred dollars, and six hundred as a deposit.",
     "4800 SUPPORTED"),
    ("The hire is $4,800.",
     "C: The hire is four thousand eight hundred dollars, and six hundred as a deposit.", "4800 SUPPORTED"),
    # of several offered one stands
    ("It comes from 9 to 11 AM.",
     "A: Between nine and eleven, or five and seven in the evening? / C: The evening one.",
     "09:00 SUPPORTED ambiguous_reading; 11:00 SUPPORTED ambiguous_reading"),
    ("It is set for 5:30.",
        "A: Can you come at 5:30 today? / C: We can be there at five thirty. / A: 5:30 is booked.",
     "17:30 SUPPORTED"),
    ("It is for 40 guests.", "C: It was forty but it's thirty-four now.", "40 SUPPORTED"),
    ("It comes from 5 to 7 PM.",
        "A: Between nine and eleven, or five and seven in the evening? / C: The evening one. / "
     "A: Between five and seven then.", "17:00 SUPPORTED; 19:00 SUPPORTED"),
    ("Room 418 was kept to 1 PM.", "C: I've set it to one p.m. for room 418.",
     "418 SUPPORTED; 13:00 SUPPORTED"),
    ("It is at 12:20 PM.", "A: We have nine ten, ten forty, and twelve twenty. / C: Ten forty.",
     "12:20 UNSUPPORTED superseded"),
    ("The course runs for six weeks at $90.", "A: Six weeks or eight? / C: Six. / A: Eight is ninety too. / "
     "C: Six, and ninety is fine.", "6 SUPPORTED; 90 SUPPORTED"),
    ("The course runs for eight weeks.", "A: Six weeks or eight weeks? / C: Eight. No, six weeks. / "
     "A: Six weeks it is.", "8 UNSUPPORTED superseded"),
    ("The shelf was moved from Wednesday to Monday.", "A: Can you bring the shelf on Saturday in place of "
     "Wednesday? / C: Saturday is out. Monday is possible. / A: Monday, then.", "wednesday SUPPORTED; monday SUPPORTED"),
    ("They open from Wednesday.", "A: Is it open on Wednesday? / C: No, from Thursday. / A: Thursday, thanks.",
     "wednesday UNSUPPORTED superseded"),
    ("The price stays at $4,200.", "A: The price of four thousand two hundred stays the same. / C: Good.",
     "4200 SUPPORTED"),
    ("They fetch two 40-foot boxes.", "A: We fetch the two forty-footers. / C: Right.", "2 SUPPORTED; 40 SUPPORTED"),
    ("The course takes eight weeks.", "A: It's level four eight weeks each. / C: Fine.", "8 SUPPORTED loose_reading"),
    ("The rival asks £2,950.", "C: The other one is two thousand nine fifty. / A: I see.",
     "2950 SUPPORTED loose_reading"),
    ("It takes 0.75 acres.", "C: The plot is three quarters of an acre.", "0.75 SUPPORTED loose_reading"),
    ("It takes 1.5 pints of milk.", "C: A pint and a half of milk.", "1.5 SUPPORTED loose_reading"),
    ("It takes 1.5 pints of milk.", "C: Two pints and a half of milk.", "1.5 UNSUPPORTED not_said"),
    ("It is 0.6 m deep.", "C: It's one metre wide and point six deep.", "0.6 SUPPORTED loose_reading"),
    ("It was built in the 1930s.", "C: It was built in the nineteen thirties.", "1930 SUPPORTED loose_reading"),
    ("They are closed on 26 December.", "C: It's Boxing Day, we're shut.", "dec 26 SUPPORTED loose_reading"),
    ("They are closed on 25 December.", "C: It's Boxing Day, we're shut.",
     "dec 25 UNSUPPORTED kind_absent_from_transcript"),
    ("Ring at 3:05 PM.", "C: She finishes at three, so ring about five past.", "15:05 SUPPORTED loose_reading"),
    ("Ring at 4:05 PM.", "C: She finishes at three, so ring about five past.", "16:05 UNSUPPORTED not_said"),
    ("She turned down one afternoon.", "C: Not that afternoon, no.", "NO_CHECKABLE_CLAIMS"),
    ("It is at one this afternoon.", "A: At one? / C: One in the afternoon, yes.",
     "13:00 SUPPORTED; today UNDECIDED"),
    ("She is short of two balls.", "A: She is two balls short. / C: There are three places on the course. / "
     "A: Three places, good.", "2 SUPPORTED"),
    ("Storage is free through Saturday.", "A: Free storage ends this Saturday. / C: All right.",
     "saturday SUPPORTED"),
    ("The lessons begin on September 14.", "A: He could start Monday, September fourteenth. / C: Can we "
     "say the twenty-first? / A: The twenty-first is fine.", "sep 14 UNSUPPORTED superseded"),
    ("The kiln was booked for 4 PM.",
     "C: We have ten in the morning, or four. / A: The morning session sounds right.",
     "16:00 SUPPORTED ambiguous_reading"),
    ("It is set for 9 AM on Friday.", "C: Friday I've got nine, no, nine's taken. Ten fifteen? / A: Good.",
     "09:00 UNSUPPORTED superseded; friday SUPPORTED"),
    ("It is set for Friday at 2 PM.", "C: On Friday there's nine or two. / A: Two, please.",
     "friday SUPPORTED; 14:00 SUPPORTED ambiguous_reading"),
    ("They took it at $38.",
     "A: Peonies are thirty-eight dollars, tulips twenty-six. / C: Let's go with the twenty-six.",
     "38 UNSUPPORTED superseded"),
    ("The fee this year is $225.", "A: It's two hundred and forty dollars, last year it was two twenty-five.",
     "225 SUPPORTED ambiguous_reading"),
    ("The cake is ready from 7 PM.", "C: From seven. / A: Seven in the evening? / C: No, in the morning.",
     "19:00 SUPPORTED"),
    ("The play starts at 7:15 PM.", "C: The play starts at seven forty-five. Doors open at seven fifteen.",
     "19:15 SUPPORTED ambiguous_reading"),
    ("The plasterer charges $450.", "C: Between four hundred and fifty and five hundred dollars.",
     "450 SUPPORTED"),
    ("Two nights from August 14.", "A: Is the fourteenth of August free? / C: Friday, I've got one left.",
     "2 UNDECIDED; aug 14 SUPPORTED"),
    ("Breakfast ends at 10:30 AM.",
        "C: We'll come at half past ten at night. / A: Breakfast is seven until half past "
     "ten.", "10:30 SUPPORTED ambiguous_reading"),
    ("It is held for one week.", "C: I'll keep it a week.", "1 UNDECIDED"),
    ("Adults pay $14, students $38.", "C: Adults are thirty-eight dollars, students fourteen.",
     "14 SUPPORTED; 38 SUPPORTED"),
    ("A fork buffet costs $14.50.", "C: Finger buffet's fourteen fifty, the fork buffet is nineteen.",
     "14.50 SUPPORTED ambiguous_reading"),
    ("She booked Doll House at 7 PM.",
     "A: Union Hall has Iron Crow at seven in the evening. Park Stage has Doll House at six in the "
     "evening. / C: Doll House, please.",
     "19:00 SUPPORTED"),
    ("She booked Doll House at 6 PM.",
        "A: Union Hall has Iron Crow at seven in the evening. Park Stage has Doll House "
     "at six in the evening. / C: Doll House, please.", "18:00 SUPPORTED"),
    # a recap that was borne out leaves what it does not repeat behind
    ("The van was rented until March 9.", "C: I need it till March 9th. / A: Anything else? / C: Make it "
     "the 10th. / A: So you want the van until March 10th, is that correct? / C: Yes.",
     "mar 9 UNSUPPORTED superseded"),
    ("The van was rented until March 10.",
        "C: I need it till March 9th. / A: Anything else? / C: Make it the 10th. / "
     "A: So you want the van until March 10th, is that correct? / C: Yes.", "mar 10 SUPPORTED"),
    # small counts in words: the summary may count what the call only names, so they are UNDECIDED
    ("There is one wake-up alarm.", "A: You have a wake-up alarm.", "1 SUPPORTED loose_reading"),
    ("There is one guest.", "A: You have a wake-up alarm.", "1 UNDECIDED"),
    ("Two bookings came out of the call: four chairs and six lamps.", "C: Four chairs, six lamps.",
     "FAITHFUL"),
    # keys
    ("Ready. pickup_day=friday, jars=6, price=7.50", "C: Six jars, seven fifty a jar, on Friday.",
     "friday SUPPORTED; 6 SUPPORTED; 7.50 SUPPORTED ambiguous_reading"),
    ("Held. hold_hours=24", "C: I can hold it for 24 hours.", "24 SUPPORTED"),
    ("Held. hold_hours=24", "C: I can hold it for $24.", "24 UNSUPPORTED"),
    # nothing like it
    ("The deposit is $60.", "C: We have chairs and tables.", "60 UNSUPPORTED kind_absent_from_transcript"),
    ("It closes at noon.", "C: We have 12 chairs.", "12:00 UNSUPPORTED kind_absent_from_transcript"),
]
MASKED_TAILS = [                # the last digits of a number of which only a masked span was said
    ("The card ending in 0142 is on file.", "C: It's 4000 5550 0142.", None),
    ("The phone ends in 0142.", "C: five five five, oh one four two.", None),
    ("The locker code is 0142.", "C: It's 4000 5550 0142.", "UNSUPPORTED"),
    ("The card ending in 0142 is on file.", "C: My card ends in 0142.", "SUPPORTED"),
]
BY_CALL_DATE = [
    ("It is valid until March 31.", "C: It's good til end of March.", "mar 31 SUPPORTED loose_reading"),
    ("It is valid until March 30.", "C: It's good til end of March.", "mar 30 UNSUPPORTED"),
    ("The visit is on March 12.", "C: Tomorrow at noon.", "mar 12 SUPPORTED call_date"),
    ("The visit is on March 13.", "C: Tomorrow at noon.", "mar 13 UNSUPPORTED"),
    ("The visit is on March 13.", "C: Next Friday.", "mar 13 SUPPORTED call_date"),
    ("The visit is on March 20.", "C: Next Friday.", "mar 20 SUPPORTED call_date"),
    ("The visit is on March 21.", "C: Next Friday.", "mar 21 UNSUPPORTED"),
    ("The visit is on March 25.", "C: In two weeks.", "mar 25 SUPPORTED call_date"),
    ("The visit is on March 30.", "C: Two weeks from Monday.", "mar 30 SUPPORTED call_date"),
    ("The visit is tomorrow.", "C: On March 12.", "FAITHFUL"),
    ("The visit is tomorrow.", "C: On March 14.", "UNSUPPORTED_CLAIMS"),
    ("The visit is on Thursday.", "C: Tomorrow.", "thursday SUPPORTED call_date"),
    ("They come on March 20.", "C: A week on Friday.", "mar 20 SUPPORTED call_date"),
    ("They come on March 27.", "C: Friday fortnight.", "mar 27 SUPPORTED call_date"),
    ("They come on March 26.", "C: Tomorrow fortnight.", "mar 26 SUPPORTED call_date"),
    ("They come on March 12.", "C: Tomorrow fortnight.", "mar 12 UNSUPPORTED"),
    ("The lease was signed on March 10.", "C: I signed it last night.", "mar 10 SUPPORTED loose_reading"),
    ("They stay from 14 to 16 March.", "C: From the fourteenth of March, two nights.", "mar 16 UNDECIDED"),
    ("They stay from 14 to 17 March.", "C: From the fourteenth of March, two nights.", "mar 17 UNSUPPORTED"),
    ("The paper comes on March 12.", "C: Next-day delivery, yes.", "mar 12 SUPPORTED loose_reading"),
    ("The paper comes on March 14.", "C: Next-day delivery, yes.", "mar 14 UNSUPPORTED"),
    ("The bill is due by March 31.", "C: By the end of the month.", "mar 31 SUPPORTED loose_reading"),
    ("The bill is due by March 30.", "C: By the end of the month.", "mar 30 UNSUPPORTED"),
    ("It was paid on March 9.", "C: The money went out Monday.", "mar 9 UNDECIDED"),
    ("It was paid on March 2.", "C: The money went out Monday.", "mar 2 UNSUPPORTED"),
    ("The range comes in mid-January 2027.", "C: Middle of January.", "NO_CHECKABLE_CLAIMS"),
    ("The range comes in mid-January 2029.", "C: Middle of January.", "2029 UNSUPPORTED"),
]


class AnchorValues(Graded):
    """A value needs the same value in the call: same unit, same half of the day, still standing."""

    def test_a_weekday_goes_by_the_date_beside_it_alone(self):
        said = "A: So Thursday at ten? / C: Yes, Friday, please. / A: Friday it is, Friday at ten. / C: Great."
        for summary, grade in (("The visit is on Thursday at 10.", "thursday UNSUPPORTED superseded"),
                               ("The visit is on Friday at 10.", "friday SUPPORTED")):
            self.check([(summary, said, grade)], call_date=datetime.date(2026, 10, 6))

    def test_a_part_of_the_day_colours_up_to_its_comma(self):
        self.check([("The first load is at 6:30 a.m.", "C: First at 6:30, two more in the evening.",
                     "06:30 SUPPORTED ambiguous_reading")])

    def test_in_a_long_call_another_value_comes_by_chance(self):
        said = "A: Is nine free for the visit? / C: Nine is gone, ten is free. / A: Ten, then. / C: Ten it is. / A: Fine, the "\
               "visit is at ten. / C: Yes, the visit, at ten."
        talk = " / C: And the garden, how is it? / A: All well, I hope." * 30
        self.check([("The visit is at nine.", said, "09:00 UNSUPPORTED superseded"),
                    ("The visit is at nine.", said + talk, "09:00 SUPPORTED ambiguous_reading")])

    def test_a_day_of_a_month_said_before_is_not_told_instead(self):
        self.check([("May 15 was full, so the visit is on May 19.", "A: She'd like to come in May, on the 15th. / "
                     "C: The 15th is full. I could do Tuesday the 19th. / A: So the 19th, good. / C: Tuesday 19th? / "
                     "A: Yes, the 19th. / C: The 19th it is.", "may 19 UNFLAGGED; may 15 UNFLAGGED")],
                   call_date=datetime.date(2026, 3, 25))

    def test_values(self):
        self.check(VALUES)

    def test_dates_by_the_call_date(self):
        self.check(BY_CALL_DATE, call_date=CALL_DAY)

    def test_masked_tails(self):
        for summary, said, grade in MASKED_TAILS:
            with self.subTest(summary=summary, call=said):
                row = audit(summary, said)["claims"][-1]
                self.assertEqual(row["grade"], grade)
                self.assertEqual(row["kind"] == "non_checkable_masked", grade is None)

    def test_days_first(self):
        said = "C: Am 06/11 um 16:30 Uhr."
        rows = [("Termin: 6 November.", "nov 6 SUPPORTED"), ("Termin: 11 June.", "jun 11 UNSUPPORTED")]
        for summary, grade in rows:
            with self.subTest(summary=summary):
                card = audit(summary, said, day_first=True, language="de-de")
                self.assertEqual(self.grades(card, grade).split(" ")[:3], grade.split(" "))

    def test_values_never_contradict(self):
        card = audit("The fee is $30.", "A: The fee? / C: No, no, it's forty dollars, not thirty.")
        self.assertNotIn("CONTRADICTED", json.dumps(card["claims"]).replace("UNSUPPORTED", ""))

    def test_strict_counts_inexact_matches_as_unverified(self):
        rows = [("The refund takes 48 hours.", "C: Two days.", "48 UNSUPPORTED strict"),
                ("The refund takes 48 hours.", "C: 48 hours.", "48 SUPPORTED"),
                ("We meet at 3:30 p.m.", "C: Three thirty.", "15:30 UNSUPPORTED strict"),
                ("We meet at 2 p.m.", "C: At 14:00.", "14:00 SUPPORTED")]
        self.check(rows, strict=True)
        row = audit(rows[0][0], rows[0][1], strict=True)["claims"][0]
        self.assertEqual((row["match"], row["rule"]), ("inexact", "unit_conversion"))

    def test_system_and_tool_turns_are_no_evidence(self):
        said = [{"speaker": "system", "text": "The fee is $30."}, {"speaker": "tool", "text": "fee: 30"},
                {"speaker": "callee", "text": "There is a fee."}]
        self.assertEqual(audit("The fee is $30.", said)["verdict"], "UNSUPPORTED_CLAIMS")

    def test_everything_is_unsupported_without_a_transcript(self):
        for said in ([], None):
            card = auditor.analyze(said, "The yurt was booked for June 3 at 2 p.m.; a map will be emailed.")
            self.assertEqual({(row["grade"], row["reason"]) for row in card["claims"]},
                             {("UNSUPPORTED", "kind_absent_from_transcript")})


# ---------------------------------------------------------------------------------- anchor: outcomes

OUTCOMES = [
    # 1. the callee says it, or the agent tells it as done and nobody objects
    ("The visit was confirmed.", "A: Is the chimney visit fine? / C: Yes, confirmed.", "confirm SUPPORTED"),
    ("The lesson was cancelled.", "A: About your harp lesson. / C: Please cancel it.", "cancel SUPPORTED"),
    ("The lesson was confirmed.", "A: About your harp lesson. / C: Please cancel it.",
     "confirm CONTRADICTED"),
    ("The lane is booked.", "C: One bowling lane, please. / A: Your lane is booked. / C: Thanks.",
     "book SUPPORTED"),
    ("The lane is booked.",
     "C: One bowling lane, please. / A: Your lane is booked. / C: No wait, cancel it, please.",
     "book CONTRADICTED"),
    ("The order was cancelled.", "C: I don't need it. / A: I have cancelled that. / C: Thanks.",
     "cancel SUPPORTED"),
    ("The lane is booked.", "C: One lane at six. / A: You're all set. / C: Great.", "book SUPPORTED"),
    ("The visit was moved to Monday.",
     "C: Could we move it to Monday? / A: Done, it's moved to Monday. / C: Thanks.",
     "reschedule SUPPORTED"),
    # 2. the agent asks or recaps, the callee's next speech affirms
    ("The table was kept.", "A: Shall I keep the table for Wednesday? / C: Yes, please.",
     "confirm SUPPORTED answered_question"),
    ("She confirmed the fitting.", "A: So that's Thursday at three for the fitting? / C: That's right.",
     "confirm SUPPORTED answered_question"),
    ("She confirmed the fitting.",
     "A: So that's Thursday at three for the fitting? / C: No, I can't make it.",
     "confirm CONTRADICTED"),
    ("He declined the upgrade.", "A: Would you like the bigger van? / C: No, thank you.",
     "decline SUPPORTED answered_question"),
    ("He accepted the upgrade.", "A: Would you like the bigger van? / C: No, thank you.",
     "accept CONTRADICTED"),
    # 4. only the agent has the word
    ("The visit was confirmed.", "A: I'm calling to confirm the chimney visit. / C: Who is this?",
     "confirm UNSUPPORTED only_agent_said"),
    ("The visit was confirmed.",
     "A: Can you confirm the visit? / C: The line is bad. / A: Hello? / C: Hello?",
     "confirm UNSUPPORTED only_agent_said"),
    # 5. the callee hedged
    ("He confirmed the pick-up.", "A: Can you confirm the pick-up? / C: Maybe.",
     "confirm UNSUPPORTED hedged"),
    ("He confirmed the pick-up.", "A: Can you confirm the pick-up? / C: I think so.",
     "confirm UNSUPPORTED hedged"),
    ("He confirmed the pick-up.", "A: Can you confirm the pick-up? / C: Let me check with Olga.",
     "confirm UNSUPPORTED hedged"),
    ("He confirmed the pick-up.", "A: Can you confirm the pick-up? / C: Probably.",
     "confirm UNSUPPORTED hedged"),
    ("He confirmed the pick-up.", "A: Can you confirm the pick-up? / C: Yes, I can.",
     "confirm SUPPORTED answered_question"),
    # 6. nothing
    ("The lane was booked.", "A: Do you sell skates? / C: We sell skates and helmets.", "book UNSUPPORTED"),
    # the last decisive word wins
    ("The visit was confirmed.",
     "A: Is Friday still good? / C: No, cancel it. / A: All right. / C: Actually, keep it. Yes, confirmed.",
     "confirm SUPPORTED"),
    ("The visit was confirmed.",
     "A: Is Friday still good? / C: Yes, confirmed. / A: Great. / C: Wait. No, please cancel it.",
     "confirm CONTRADICTED"),
    ("The visit was cancelled.",
     "A: Is Friday still good? / C: Yes, confirmed. / A: Great. / C: Wait. No, please cancel it.",
     "cancel SUPPORTED"),
    # a no that refuses nothing
    ("The crate was booked.", "C: Yes, it's booked. / A: Anything else? / C: No, that's all.",
     "book SUPPORTED"),
    ("The crate was booked.", "C: Yes, it's booked. / A: Any questions? / C: No.", "book SUPPORTED"),
    ("The crate was booked.", "C: Yes, it's booked. / A: Any changes? / C: No.", "book SUPPORTED"),
    ("He confirmed the visit.", "A: Is Tuesday okay for the visit? / C: No problem, confirmed.",
     "confirm SUPPORTED"),
    ("He confirmed the visit.", "A: Is Tuesday okay for the visit? / C: No worries, that's fine.",
     "FAITHFUL"),
    ("He confirmed the visit.",
     "A: Do you need another day? / C: No, that works. / A: So it stays? / C: Yes.", "FAITHFUL"),
    ("He confirmed the visit.", "A: Can you still make it? / C: No.", "confirm CONTRADICTED"),
    # contractions and full forms
    ("She confirmed.", "A: Can you come? / C: I can't make it.", "confirm CONTRADICTED"),
    ("She confirmed.", "A: Can you come? / C: I cannot make it.", "confirm CONTRADICTED"),
    ("She confirmed.", "A: Can you come? / C: I can not make it.", "confirm CONTRADICTED"),
    ("She confirmed.", "A: Can you come? / C: I won't be able to make it.", "confirm CONTRADICTED"),
    ("She confirmed.", "A: Can you come? / C: I will not be able to make it.", "confirm CONTRADICTED"),
    ("She confirmed.", "A: Can you come? / C: I can make it, yes.", "FAITHFUL"),
    # negated claims
    ("He did not confirm the visit.", "A: Can you confirm the visit? / C: No, I can't.", "FAITHFUL"),
    ("He did not confirm the visit.", "A: Can you confirm the visit? / C: Yes, confirmed. See you there.",
     "confirm CONTRADICTED"),
    ("The lesson could not be booked.", "A: Can I book noon? / C: Sorry, we're fully booked.", "FAITHFUL"),
    # full, sold out, closed
    ("The pool is fully booked.", "A: Is there a lane? / C: We're fully booked, sorry.",
     "unavailable SUPPORTED"),
    ("The lamp is sold out.", "A: Is the lamp there? / C: It's out of stock.", "unavailable SUPPORTED"),
    ("The lamp is sold out.", "A: Is the lamp there? / C: Yes, we have plenty.", "unavailable UNDECIDED"),
    ("A lane was booked.", "A: Is there a lane? / C: Sorry, we're fully booked, I can't book anything.",
     "book CONTRADICTED"),
    # an answer is about what it names, whatever else was asked
    ("The boy goes to the zoo; the parent agreed to the zoo and declined the camp.",
     "A: There's the zoo trip and the overnight camp. May we sign him up? / C: The zoo, yes. The camp, no.",
     "accept UNFLAGGED; decline UNFLAGGED"),
    ("The parent agreed to the zoo trip and the overnight camp.",
     "A: There's the zoo trip and the overnight camp. May we sign him up? / C: The zoo, yes. The camp, no.",
     "accept UNFLAGGED"),
    ("The owner declined the wax finish.",
     "A: The polish is ten dollars, the wax finish another five. / C: Just the polish, then. / A: Could "
     "you come Friday? / C: Yes.",
     "decline UNFLAGGED"),
    ("The owner accepted the wax finish.",
     "A: The polish is ten dollars, the wax finish another five. / C: Just the polish, then. / A: Could "
     "you come Friday? / C: Yes.",
     "accept UNFLAGGED"),
    ("The donor declined to volunteer.", "A: Could you give ten dollars? / C: Yes. / A: Would you also "
     "like to volunteer? / C: No, my knees are bad.", "decline SUPPORTED answered_question"),
    ("The donor agreed to volunteer.", "A: Could you give ten dollars? / C: Yes. / A: Would you also like "
     "to volunteer? / C: No, my knees are bad.", "accept CONTRADICTED"),
    ("Drinks were offered and declined.",
     "A: Your order is placed. / C: Great. / A: Would you like any drinks? / C: Nah, we're good.",
     "decline SUPPORTED answered_question"),
    ("The driver accepted the night shift.",
     "A: It's the night shift, at nine dollars. Is that okay? / C: The pay's fine. Night shift's a problem.",
     "accept CONTRADICTED"),
    ("The hotel confirmed a corner suite.",
     "A: She'd like a corner suite. / C: I can ask, but I can't promise it.", "confirm UNSUPPORTED hedged"),
    # what was confirmed or done must come up in the call; in wordings of no row it is UNDECIDED
    ("The policy was renewed.", "A: Shall we meet on Monday? / C: Yes.", "renew UNSUPPORTED never_mentioned"),
    ("The policy was renewed.", "A: Shall we renew the policy? / C: Yes.", "FAITHFUL"),
    ("The late fee was waived.", "A: It's twenty dollars an hour then. / C: That's fine.",
     "waive UNSUPPORTED never_mentioned"),
    ("The late fee was waived.", "C: The box was jammed. / A: I've taken the fee off your account.",
     "waive UNDECIDED"),
    ("The picnic was rescheduled.",
     "A: Is it still on? / C: If it pours we'd shift it. / A: So Saturday for now? / C: Yes.",
     "reschedule UNDECIDED"),
    ("The mower has been repaired.", "C: It's not been repaired yet. The belt we ordered was wrong.",
     "repair FLAGGED"),
    ("The mower has not been repaired.", "C: It's not been repaired yet. The belt we ordered was wrong.",
     "NO_CHECKABLE_CLAIMS"),
    # a day or time taken from those offered; one that the agent settles
    ("The visit was booked.", "A: I could do Monday at ten or Tuesday at two. / C: Tuesday at two.",
     "book UNFLAGGED"),
    ("The visit was booked.", "A: I could do Monday at ten or Tuesday at two. / C: Tuesday we travel.",
     "book FLAGGED"),
    ("The visit was booked.", "C: Noon on Saturday. / A: Noon on Saturday it is.", "book UNFLAGGED"),
    # no decision: what somebody else will decide, what is only a sum of a quote: UNDECIDED
    ("The move was booked.",
     "A: So it's ninety if it stays at two hours? / C: Right. / A: I'll give her the quote and she'll "
     "decide.",
     "book UNSUPPORTED hedged"),
    ("Nothing was booked.",
     "A: So it's ninety if it stays at two hours? / C: Right. / A: I'll give her the quote and she'll "
     "decide.",
     "book UNFLAGGED"),
    ("The bank agreed to take the crates.", "A: Could the bank take the crates? / C: Only if the cooler is "
     "mended. / A: I'll call you tomorrow. / C: Do that.", "accept UNSUPPORTED hedged"),
    # words that decide nothing
    ("The visit was booked.",
     "A: Your visit is booked for Monday. / C: Good. / A: I'll pass that to the smith.", "book SUPPORTED"),
    ("The table was booked.", "A: The table is booked. / C: Great. / A: Do you want a cake as well? / "
     "C: No, just the table.", "book SUPPORTED"),
    ("The lesson was confirmed.", "A: Can you still make the lesson on Tuesday? / C: I can. / "
     "A: Has anything changed with your eyes? / C: No.", "confirm SUPPORTED answered_question"),
    ("The owner declined the offer.",
     "A: Could you come back for ten dollars? / C: No, it's too far since I moved.",
     "decline SUPPORTED"),
    # another thing that was left, a time that could not be had
    ("The tickets were booked but no room was.", "A: Your tickets are booked. / C: Find a hotel, please. / "
     "A: There is the Larch Hotel. / C: Sounds good, that is all.", "FAITHFUL"),
    ("The tickets were booked and a hotel room was booked too.",
     "A: Your bus tickets are booked. / C: Find a hotel, please. / A: There is the Larch Hotel. / C: That "
     "is all, thanks.",
     "FAITHFUL"),
    ("The table is for noon, since 12:15 could not be booked.",
     "C: At 12:15, please. / A: I couldn't book that. How about noon? / C: Yes, noon. / A: It's booked.",
     "12:15 SUPPORTED; 12:00 SUPPORTED"),
    ("The table could not be booked.",
     "C: At 12:15, please. / A: I couldn't book that. How about noon? / C: Yes, noon. / A: It's booked.",
     "fail UNDECIDED"),
    ("7:15 was not available.",
     "C: At 7:15, please. / A: I couldn't book that time. How about 7:30? / C: Yes.",
     "unavailable UNFLAGGED"),
    ("The caller turned down one o'clock.",
     "A: The booking failed. You want me to try one o'clock. / C: No. Thanks.",
     "decline SUPPORTED"),
    # what is only tentative, what is a rule, what is only promised yet
    ("The reservation was made.", "A: I'm sorry, I couldn't make that reservation. / C: Okay.",
     "book FLAGGED"),
    ("The lease was confirmed.", "C: You have reached the voicemail of Ona. Leave a message.",
     "confirm CONTRADICTED recorded_voice"),
    ("The party is only pencilled in.",
     "A: So that's the party? / C: Only if she flies in. Don't lock it in yet.", "NO_CHECKABLE_CLAIMS"),
    ("The fee is waived under ten euros.", "C: We waive it under ten euros.", "FAITHFUL"),
    ("There is no fee if it is paid by Friday.", "C: No fee as long as it's paid by Friday.", "FAITHFUL"),
    ("He has paid the rent.", "C: I'll pay it on Friday. / A: Okay, thanks. / C: Yes, fine.",
     "pay UNFLAGGED"),
    ("Mr Oro declined the interview.", "A: Is that Mr Oro? It's about your interview. / "
     "C: No, you have the wrong number.", "decline UNSUPPORTED wrong_party"),
    # two of three, and only one did: see several recipients
    # what was agreed, and what is beside it
    ("The owner accepted the window cleaning.",
     "A: Would you like us to do the windows? / C: No, we had those done last month.",
     "accept CONTRADICTED"),
    ("The owner agreed to come along as a helper.",
     "A: Is Theo coming on the trip? / C: Yes. / A: Would you like to come along as a helper? / C: I "
     "can't, I'm at work.",
     "accept CONTRADICTED"),
    ("The $18 fee was waived.", "C: There's an eighteen dollar fee. I've moved it to Friday.",
     "waive UNDECIDED"),
    ("The $18 fee was waived.",
     "C: There's an eighteen dollar fee. / A: Could you waive it? / C: We won't charge it, that's done.",
     "waive UNFLAGGED"),
    ("The room was upgraded.", "C: The room is yours, I've looked at it. All done.", "upgrade UNDECIDED"),
    ("The move to Tuesday was confirmed.",
     "A: He needs to move it to Tuesday. / C: Tuesday, that's changed for you.",
     "confirm UNFLAGGED"),
    ("The guest was added to the waiting list.",
     "C: We're fully committed. / A: Is there a waiting list? / C: I can put you on it.",
     "add UNFLAGGED"),
    ("A table was booked.", "C: We're fully committed that night. / C: Joel's on the list for two.",
     "book CONTRADICTED"),
    ("A cake was ordered.", "A: One cake, no nuts. / C: All done.", "order UNFLAGGED"),
    ("The offer of half price was declined.",
        "C: We could offer half price. / A: No thank you, she'd like to cancel. / "
     "C: Alright. / A: So it's cancelled. / C: That's correct.", "decline SUPPORTED"),
    ("The subscription was cancelled.", "C: I'll just stop for now. / A: No problem, I'll cancel it.",
     "cancel SUPPORTED"),
    ("The owner agreed to the visit on Tuesday.",
     "A: Any reason why we shouldn't come on Tuesday? / C: No, none at all.",
     "FAITHFUL"),
    ("The owner declined the visit.", "A: Any reason why we shouldn't come on Tuesday? / C: No, none at all.",
     "decline UNFLAGGED"),
    ("The van was reserved.",
     "A: Can you reserve the van? / C: I need a card for that. I can pencil it till five.",
     "book UNSUPPORTED hedged"),
    ("The landlord accepted the rabbit.",
     "C: Is a rabbit allowed? / A: I'd have to ask about a rabbit. / C: Okay.", "accept UNSUPPORTED hedged"),
    ("The card was not cancelled.",
     "C: Please cancel the card. / A: The card is cancelled, and a new one is on its way.",
     "cancel FLAGGED"),
    ("The boiler service was booked for 10:15 AM.",
     "A: Would quarter past ten be all right? / C: Quarter past ten, yes. / A: I'll call you at quarter "
     "past ten then.",
     "book SUPPORTED answered_question"),
    ("The customer ordered 6 bags.", "A: What do you need this week? / C: Six bags of layer pellets.",
     "order UNFLAGGED; 6 SUPPORTED"),
    ("The policy was not renewed.", "A: Your policy renews on May 1st. / C: I want to think.",
     "NO_CHECKABLE_CLAIMS"),
    ("The table was moved.",
     "A: He has a table tonight and needs to cancel it. / C: I've taken that off. / C: Hope to see him "
     "another time.",
     "reschedule FLAGGED"),
    ("The shed was booked.", "A: Is the shed free? / C: That one's gone. We're full right up to November.",
     "book CONTRADICTED"),
    # "no" that refuses nothing
    ("The visit was moved.", "A: Mei can't do Friday. Could we find another time? / C: Oh no, poor Mei. "
     "Tuesday? / A: I've moved it to Tuesday.", "reschedule SUPPORTED"),
    ("The smith's visit was agreed.",
     "A: The smith can come Friday. Will somebody be in? / C: Yes, I'll be here. / A: Anything he should "
     "know? / C: The buzzer doesn't work.",
     "accept UNFLAGGED"),
    ("The owner agreed to the visit.",
     "A: Would you mind if we came on Tuesday? / C: No, not at all. / A: So Tuesday, is that right? / C: "
     "That's right.",
     "FAITHFUL"),
    ("The owner confirmed the tuning.",
     "A: Your tuning is on Wednesday. Does that still suit? / C: It does. / A: Has the piano been moved? / "
     "C: No.",
     "confirm SUPPORTED answered_question"),
    ("The owner declined the gift.",
     "A: Would you give six pounds a month? / C: I can't commit to that. / A: Stay on our newsletter? / C: "
     "Yes, I read it.",
     "decline UNFLAGGED"),
    ("The owner agreed to the gift.",
     "A: Would you give a gift of six pounds a month? / C: I can't commit to that. / A: Would you like to "
     "stay on our newsletter? / C: Yes.",
     "accept FLAGGED"),
    ("He moved his cleaning to Wednesday.",
     "A: I'm calling about moving his cleaning. / C: I can't do Tuesday any more. / A: Wednesday or Friday? / "
     "C: Friday's no good. Wednesday. / A: Wednesday, then. / C: Fine.", "reschedule UNFLAGGED"),
    ("He moved his cleaning.",
     "A: Shall we move your cleaning? / C: No, leave it as it is.", "reschedule FLAGGED"),
    ("The order was cancelled after it had been delayed.",
        "A: It's been moved to March. / C: Forget it. Cancel it. / "
     "A: I've cancelled it.", "cancel SUPPORTED"),
    # wrong number, opt-out
    ("It was the wrong number.", "A: Is this the harp school? / C: You have the wrong number.",
     "wrong-number SUPPORTED"),
    ("It was the wrong number.", "A: Is this the harp school? / C: Yes, it is.",
     "wrong-number UNSUPPORTED never_mentioned"),
    ("The owner asked not to be called again.", "A: Do you need a roof? / C: Take me off your list.",
     "opt-out SUPPORTED"),
    ("The owner asked not to be called again.", "A: Do you need a roof? / C: Do not call me again.",
     "opt-out SUPPORTED"),
    ("The owner asked not to be called again.", "A: Do you need a roof? / C: Call me next week.",
     "opt-out FLAGGED"),
]
RECORDED = [                    # a recorded voice consents to nothing
    ("The clinic confirmed the visit.",
     "C: You have reached Elm Clinic. Please leave a message after the tone. / "
     "A: I'd like to confirm the visit.", "confirm CONTRADICTED"),
    ("The visit was booked.", "C: The mailbox is full. / A: Goodbye.", "book CONTRADICTED"),
    ("The visit was booked.", "C: For billing, press one. For visits, press two. / A: Two. / C: Press one.",
     "book CONTRADICTED"),
    ("The call went to voicemail.",
     "C: Please leave a message after the beep. / A: Hello, it's about the roof.",
     "voicemail SUPPORTED"),
    ("The call went to voicemail.", "A: Hello. / C: Hello, Rosa speaking, yes?",
     "voicemail UNSUPPORTED never_mentioned"),
    # a question about something else, a negated question, a failure told with its own verb
    ("The lane was booked.",
     "A: Shall I book the lane? / C: Yes. / A: Booked. Do you want skates? / C: No thanks.",
     "book SUPPORTED"),
    ("The lane was booked.",
     "A: Shall I book the lane? / C: Yes. / A: Booked. Still want it? / C: No, cancel it.",
     "book CONTRADICTED"),
    ("The claim was approved.", "A: Nothing is approved yet, correct? / C: Correct.", "accept CONTRADICTED"),
    ("The claim was not approved.", "A: Nothing is approved yet, correct? / C: Correct.", "accept UNFLAGGED"),
    ("A room could not be promised.", "A: Is a room free at noon? / C: I can't promise a room.",
     "NO_CHECKABLE_CLAIMS"),
    ("She agreed to the tour.", "A: Can you cover the tour? / C: As long as Lev may come. Otherwise no.",
     "accept UNSUPPORTED"),
    ("She declined the tour.", "A: Can you cover the tour? / C: No, sorry.",
     "decline SUPPORTED answered_question"),
    ("He confirmed the visit.", "A: Shall I pencil you in? / C: Yes, but don't count on me.",
     "confirm UNSUPPORTED hedged"),
    ("She booked a test.", "A: Would you like to book a test? / C: No, not yet. I'll do it in the new year.",
     "book CONTRADICTED"),
    ("The tour was agreed.",
     "A: Shall I book the tour? / C: Yes. / A: The poster's $9. Want one? / C: No thanks.",
     "accept SUPPORTED answered_question"),
    ("He confirmed Friday.",
     "A: Will someone be in on Friday? / C: My son should be, I'm not certain. / A: That's fine.",
     "confirm UNSUPPORTED hedged"),
    ("He accepted the visit.", "A: Would you like a visit? / C: No thanks. We went with another firm.",
     "accept CONTRADICTED"),
    ("The slot was booked.", "A: Noon for Lev, please. / C: He's down for noon.", "book UNFLAGGED"),
    ("He confirmed Friday.", "A: Are you Mr. Gray, and can you confirm Friday? / C: Yes, speaking.",
     "confirm SUPPORTED answered_question"),
    ("The payment was confirmed.", "C: To make a payment, press one. / A: One.",
     "confirm CONTRADICTED recorded_voice"),
    ("The desk confirmed the visit.",
     "C: For visits, press two. / A: Two. / C: Hi, this is Lev. / A: Is the visit still on? / "
     "C: Yes, it's confirmed.", "confirm SUPPORTED"),
]


class AnchorOutcomes(Graded):
    """Who said it counts, and the callee's last decisive word wins."""

    def test_outcomes(self):
        self.check(OUTCOMES)

    def test_recorded_voices(self):
        self.check(RECORDED)

    def test_who_talked_at_length_before_a_recording(self):
        talk = " / ".join(["A: And the next thing?", "C: We can do that as well, sure."] * 12)
        tape = " / C: Please leave a message after the tone. / A: Hello, it is about the slot."
        said = "A: Is noon free? / C: Noon is free, I booked it for you. / " + talk
        for call, grade in ((said + tape, "book UNFLAGGED"), (said[:said.index(talk)] + tape[3:], "book FLAGGED")):
            self.check([("The slot was booked.", call, grade)])

    def test_did_you_say_is_no_recording(self):
        self.check([("The slot was booked.", "A: Noon is booked for you. / C: Thank you. What did you say your name was?",
                     "book UNFLAGGED")])

    def test_a_recorded_voice_contradicts_by_its_own_turn(self):
        row = audit(*RECORDED[0][:2])["claims"][0]
        self.assertEqual(row["contradicted_by_turn"], 0)

    def test_contradiction_names_its_turn(self):
        said = "A: Is Friday still good? / C: Yes, confirmed. / A: Great. / C: Wait. No, please cancel it."
        row = audit("The visit was confirmed.", said)["claims"][0]
        self.assertEqual((row["grade"], row["contradicted_by_turn"]), ("CONTRADICTED", 3))

    def test_late_acknowledgement(self):
        said = ("A: Can you confirm the attic survey on Monday at nine? / C: Who is calling? / "
                "A: The surveyors. We come on Monday at nine, to look at the attic. / C: Yes, perfect.")
        self.check([("The survey was confirmed.", said, "confirm SUPPORTED late_acknowledgement"),
                    ("The survey was confirmed.", said.replace("Yes, perfect", "Hm"), "UNSUPPORTED_CLAIMS")])


# ----------------------------------------------------------------------------------- anchor: actions

ACTIONS = [
    ("The tailor will email the sizes.", "C: I will email you the sizes.", "email SUPPORTED"),
    ("The tailor will email the sizes.", "C: The sizes are on our page.", "email UNDECIDED"),
    ("The tailor will email the pattern.", "C: The sizes are on our page.",
     "email UNSUPPORTED never_mentioned"),
    ("The sizes will be emailed.", "C: I'll send you an email with the sizes.", "email SUPPORTED"),
    ("The sizes will be mailed.", "C: I will email you the sizes.", "mail UNDECIDED"),
    ("The sizes will be texted.", "C: I will email you the sizes.", "text UNDECIDED"),
    ("The sizes will be sent.", "C: I will email you the sizes.", "FAITHFUL"),
    ("The office will email photos to the tenant.", "C: I'll email you the photos.", "email SUPPORTED"),
    ("The tenant will email photos to the office.", "C: I'll email you the photos.", "email SUPPORTED"),
    ("The agent will email the plan and arrange a tasting.", "A: I'll email you the plan.", "book FLAGGED"),
    ("The agent will ask accounts and ring the guest.", "A: I'll ask accounts and ring you.", "FAITHFUL"),
    ("The tickets were mailed.", "A: They'll be mailed on Monday.", "mail SUPPORTED"),
    ("The tickets will be mailed.", "A: They'll be mailed on Monday.", "mail SUPPORTED"),
    ("The owner will bring the van.",
     "A: Will you bring the van in, or shall we fetch it? / C: Could you fetch it?",
     "deliver UNFLAGGED"),
    ("The gran will pick up the boy.", "A: Who'll be fetching him? / C: His gran will.", "collect SUPPORTED"),
    ("The ward will call the driver.", "C: The ward calls the driver when she's ready.",
     "call back UNFLAGGED"),
    ("A complaint was filed.", "A: Sorry about that, it's on tomorrow's van. / C: Cheers.",
     "file UNSUPPORTED"),
    ("A dispute was logged.", "A: I've opened a dispute. / C: Good.", "file SUPPORTED"),
    ("The card was charged.", "A: I'll ask about the card. / C: Fine.", "charge UNDECIDED"),
    ("Arrow Taxis will call on Friday.",
     "A: Hello, it's the assistant at Arrow Taxis. / C: I'll ring you on Friday.",
     "call back SUPPORTED"),
    ("The clerk has sent replacements.", "C: I have to ask before I can send any replacements.",
     "send UNFLAGGED"),
    ("She needs to pay a $10 fee.", "C: There's a ten dollar handling fee.", "10 SUPPORTED"),
    ("The depot will deliver the rucksack.", "C: He has to collect it, tell him to bring some ID.",
     "deliver UNFLAGGED"),
    ("The agent will check with him.", "A: okay ill check with him how late are you open", "check SUPPORTED"),
    ("The gran will pick her up.", "A: Who's picking her up? / C: Her gran.", "collect SUPPORTED"),
    ("The agent reset the code.", "A: I'll ask the manager to reset the code.", "reset SUPPORTED"),
    ("The clinic will text her.", "A: Will you tell her? / C: She gets an automatic text.", "text SUPPORTED"),
    ("A refund was issued.", "A: Then they'd send you a refund.", "provide UNFLAGGED"),
    ("Osei will call the roofer.", "A: I'm calling for Mr Osei. / C: I'll ring him on Sunday.",
     "call back SUPPORTED"),
    ("The shop will call the insurer.", "C: This is the shop. Have him call his insurer.",
     "call back UNDECIDED"),
    ("The agent will email a return label for the plates.", "A: I can send new plates.", "email UNFLAGGED"),
    ("The agent will send the quote by post.", "A: I'll put the quote in the post.", "mail SUPPORTED"),
    ("The driver will call.", "C: Can you help me call a cab?", "call back UNDECIDED"),
    ("The smith will call.", "C: If it happens again I'll call you.", "call back UNFLAGGED"),
    ("The tenant will call a smith.", "A: A smith will call you. / C: Fine.", "call back SUPPORTED"),
    ("The clinic will call the patient.",
     "A: This is the assistant at Elm Clinic. / C: I'll ring you tomorrow.",
     "call back SUPPORTED"),
    ("A truck was dispatched.", "A: The truck is on its way.", "ship SUPPORTED"),
    # what an agent does it says; what the other side does, or asks for in vain, is not the agent's
    ("The agent emailed a copy.", "C: Did the copy come by email?", "email UNSUPPORTED not_by_agent"),
    ("The agent emailed a copy.", "A: I've just emailed it.", "email SUPPORTED"),
    ("The agent emailed a copy.", "C: Could you email it? / A: Sure.", "email SUPPORTED"),
    ("The agent then credited $20.", "C: I want my money back. / A: I can't refund that.", "refund UNSUPPORTED not_by_agent"),
    ("The agent then credited $20.", "C: I want my money back. / A: I'll credit twenty dollars.", "refund SUPPORTED"),
    ("The agent has also emailed a copy.", "C: Did the copy come by email?", "email UNSUPPORTED not_by_agent"),
    ("The agent emailed a copy.", "A: If it was emailed I can't see it.", "email UNSUPPORTED not_by_agent"),
    ("The agent took a report and sent a copy.", "C: Send it when you can. / C: Hello?", "send UNSUPPORTED not_by_agent"),
    ("The clerk took a report and sent a copy.", "C: Send it when you can. / C: Hello?", "send UNFLAGGED"),
    ("The agent called Rosa, who agreed and sent the form.", "C: Rosa here, I've sent the form.", "send SUPPORTED"),
    ("The agent rang and Rosa sent the form.", "C: Rosa here, I've sent the form.", "send SUPPORTED"),
    ("The travel agent emailed a copy.", "C: I've emailed you a copy as your travel agent.", "email SUPPORTED"),
    ("The shop's agent emailed a copy.", "C: Did the shop's copy come by email?", "email UNSUPPORTED not_by_agent"),
    ("The agent cancelled the order.", "C: If you can't, I'll cancel it.", "cancel UNSUPPORTED not_by_agent"),
    ("The agent put the number on the do-not-call list.", "A: I'll take you off the list.", "opt-out UNFLAGGED"),
    # what a summary calls so, whatever was said
    ("The agent logged it as an emergency.", "A: I'm marking this as urgent.", "file UNFLAGGED"),
    ("She was referred to a supervisor.", "A: I'd have to put it to my boss.", "refer UNFLAGGED"),
    ("The agent recorded the reading.", "C: two oh four one seven", "record UNFLAGGED"),
    ("The policy was renewed.", "C: two oh four one seven", "renew UNSUPPORTED never_mentioned"),
    ("A replacement was ordered.", "C: The lid is cracked. / A: I see.", "order UNSUPPORTED never_mentioned"),
    ("A replacement was ordered.", "C: The lid is cracked, can you get another? / A: Sure.", "order UNFLAGGED"),
    # what was sent somebody spoke of
    ("Rosa has sent the form.", "C: The form is on our page.", "send UNSUPPORTED never_mentioned"),
    ("Rosa has sent the form.", "C: Rosa here. The form? You'll get an email.", "send UNFLAGGED"),
    ("Rosa has sent the form.", "C: We don't send the form.", "send UNSUPPORTED never_mentioned"),
    ("Rosa will send the form.", "C: Rosa here. The form is on our page.", "send UNFLAGGED"),
    ("She needs to bring her passport.", "C: She needs the letter and her passport.", "passport SUPPORTED"),
    ("A confirmation is being emailed.", "A: You'll get an email soon.", "email SUPPORTED"),
    ("The shop will call back.", "C: I'll call you back.", "call back SUPPORTED"),
    ("The shop will call back.", "C: Goodbye.", "UNSUPPORTED_CLAIMS"),
    ("The courier will pick up the rug.", "C: We'll pick up the rug on Monday.", "collect SUPPORTED"),
    ("The courier will pick up the rug.", "C: We'll pick it up on Monday.", "collect SUPPORTED"),
    ("The fee will be refunded.", "C: We will refund the fee.", "refund SUPPORTED"),
    ("The fee was refunded.", "C: I'll see about a refund.", "refund UNFLAGGED"),
    ("The fee will be refunded.", "C: We can't refund the fee.", "refund FLAGGED"),
    ("A quote will be sent.", "C: I won't be able to send a quote.", "send FLAGGED"),
    ("A quote will be sent.", "C: I'll send a quote.", "send SUPPORTED"),
    # a request and a done deed bear out a promise
    ("The map will be emailed.", "A: Could you email the map? / C: Yes, of course.", "FAITHFUL"),
    ("The map will be emailed.", "C: I have just emailed the map.", "email SUPPORTED"),
    # who is to do it, and whether it is done yet, is for check_first: the deed was said
    ("The customer will call back.", "A: I will call you back. / C: Good.", "call back SUPPORTED"),
    ("The agent will call back.", "A: I will call you back. / C: Good.", "call back SUPPORTED"),
    ("The customer will call back.", "A: Good. / C: I will call you back.", "call back SUPPORTED"),
    # an acknowledgement needs an offer or a request
    ("A picture will be texted.", "A: Could you send a picture? / C: Sure.", "FAITHFUL"),
    ("A form will be emailed.", "A: Hello, this is the assistant. / C: Okay. / A: Bye.",
     "UNSUPPORTED_CLAIMS"),
    ("The crate will be delivered.", "A: Can you deliver the crate? / C: Will do.", "FAITHFUL"),
    ("The crate will be delivered.", "A: Is the crate blue? / C: Will do.", "deliver UNDECIDED"),
    ("The crate will be delivered.", "A: When can you deliver the crate? / C: On Friday.",
     "deliver UNFLAGGED"),
    ("The crate will be delivered.", "A: When can you deliver the crate? / C: We can't.", "deliver FLAGGED"),
    ("The customer will send the form.",
     "A: Is it signed? / C: No, I'll sign it and send it.", "send SUPPORTED"),
    ("The agent will send the form.", "A: Is it signed? / C: No, I'll sign it and send it.",
     "send SUPPORTED"),
    ("Tilda will call back.", "C: I'll call Tilda back on Friday.", "call back SUPPORTED"),
    ("Tilda will call back.", "C: Tilda will call you back.", "call back SUPPORTED"),
    ("Samples can be brought in.", "C: You can bring samples.", "NO_CHECKABLE_CLAIMS"),
]


class AnchorActions(Graded):
    """A promise needs a promise, a request or a deed of the same kind, by the same side."""

    def test_actions(self):
        self.check(ACTIONS)

    def test_absent_kind(self):
        row = audit("A plan will be emailed.", "A: Hello. / C: Hi.")["claims"][0]
        self.assertEqual((row["grade"], row["reason"]), ("UNSUPPORTED", "never_mentioned"))

    def test_email_mail_and_text_differ(self):
        words = {"email": "email", "mail": "mail", "text": "text"}
        for claimed, said in itertools.product(words, words):
            with self.subTest(claimed=claimed, said=said):
                call = f"A: I will {said} you the form. / C: Good."
                grade = audit(f"The agent will {claimed} the form.", call)["claims"][0]["grade"]
                self.assertEqual(grade == "SUPPORTED", claimed == said, grade)


# ---------------------------------------------------------------------------------------------- names

NAMES = [                       # each name beside a foreign one
    ("She rang for the U13 team.", "C: The under thirteens, please.", "U13 SUPPORTED loose_reading"),
    ("She rang for the U15 team.", "C: The under thirteens, please.", "U15 UNSUPPORTED not_said"),
    ("The agent called Bridget Okafor.", "A: Is that Bridget Okafor? / C: Speaking.",
     "Bridget Okafor SUPPORTED"),
    ("The agent called Bridget Oduya.", "A: Is that Bridget Okafor? / C: Speaking.",
     "Bridget Oduya UNSUPPORTED not_said"),
    ("The agent called Marek Okafor.", "A: Is that Bridget Okafor? / C: Speaking.",
     "Marek Okafor UNSUPPORTED not_said"),
    ("The agent called Bridget.", "A: Is that Bridget Okafor? / C: Speaking.", "Bridget SUPPORTED"),
    ("The agent called J. Okafor.", "A: Is that Mrs Okafor? / C: Speaking.", "Okafor SUPPORTED"),
    ("She is insured with Holloway Mutual.", "C: i'm with holloway mutual", "Holloway Mutual SUPPORTED"),
    ("She is insured with Hadley Mutual.", "C: i'm with holloway mutual",
     "Hadley Mutual UNSUPPORTED not_said"),
    # possessive, plural, hyphen, accents, apostrophes, particles
    ("He came in Mr Pruett's van.", "C: That's the van of Mr Pruett.", "Pruett SUPPORTED"),
    ("The house belongs to the Hansens.", "C: It's the Hansen house.", "Hansens SUPPORTED"),
    ("He works at Holt-Meyer.", "C: I'm at Holt Meyer.", "Holt-Meyer SUPPORTED"),
    ("She asked for Zo\xeb N\xfa\xf1ez.", "C: Is Zoe Nunez there?", "Zo\xeb N\xfa\xf1ez SUPPORTED"),
    ("She asked for Zo\xeb P\xe9rez.", "C: Is Zoe Nunez there?", "Zo\xeb P\xe9rez UNSUPPORTED not_said"),
    ("She asked for Zoe Nunez.", "C: Is Zo\xeb N\xfa\xf1ez there?", "Zoe Nunez SUPPORTED"),
    ("She asked for Niamh O'Sullivan.", "C: Is Niamh O'Sullivan there?", "Niamh O'Sullivan SUPPORTED"),
    ("She asked for Niamh O'Donnell.", "C: Is Niamh O'Sullivan there?",
     "Niamh O'Donnell UNSUPPORTED not_said"),
    ("She met Ludwig van Dorn.", "C: I met Ludwig van Dorn.", "Ludwig SUPPORTED; Dorn SUPPORTED"),
    ("She met Xiuying Zhao.", "C: I met Xiuying Zhao.", "Xiuying Zhao SUPPORTED"),
    ("She met Xiuying Tang.", "C: I met Xiuying Zhao.", "Xiuying Tang UNSUPPORTED not_said"),
    ("She met Rahman al-Siddiqui.", "C: I met Rahman al Siddiqui.", "FAITHFUL"),
    ("She met Oluwaseun Adebayo.", "C: I met Oluwaseun Adebayo.", "Oluwaseun Adebayo SUPPORTED"),
    # as a recogniser writes it: by sound, cut apart, spelled out
    ("She asked for Cissy.", "C: Is Sissy there?", "Cissy SUPPORTED sounds_like"),
    ("She asked for Mr Whelan.", "C: Is Mr wheelan there?", "Whelan SUPPORTED sounds_like"),
    ("She asked for Jason.", "C: Is jay sun there?", "Jason SUPPORTED sounds_like"),
    ("She asked for Ingrid Solberg.", "C: Is Ingrid Solheim there?", "Ingrid Solberg UNSUPPORTED not_said"),
    ("She asked for Mr Holt.", "C: Is Mr Holden there?", "Holt UNSUPPORTED not_said"),
    ("She asked for Katie.", "C: Is Catherine there?", "Katie SUPPORTED sounds_like"),
    ("She asked for Kitty.", "C: Is Margaret there?", "Kitty UNSUPPORTED not_said"),
    ("She asked for Daniel.", "C: Is Dan there?", "Daniel SUPPORTED sounds_like"),
    ("She asked for Dan.", "C: Is Daniel there?", "Dan SUPPORTED sounds_like"),
    ("She asked for Dan.", "C: Is Danuta there?", "Dan UNSUPPORTED not_said"),
    ("She asked for Niamh.", "C: Is Neev there?", "Niamh SUPPORTED sounds_like"),
    ("She asked for Aoife.", "C: Is Neev there?", "Aoife UNSUPPORTED not_said"),
    ("She asked for Mr McAlister.", "C: Is Mr mc alister there?", "McAlister SUPPORTED loose_reading"),
    ("She uses BitLocker.", "C: bit locker is on.", "BitLocker SUPPORTED loose_reading"),
    ("She uses FileVault.", "C: bit locker is on.", "FileVault UNSUPPORTED not_said"),
    ("The firm is McCall.", "C: It's m c c a double l.", "McCall SUPPORTED loose_reading"),
    ("The firm is Carel.", "C: c for Charlie, a, r, e, l.", "Carel SUPPORTED loose_reading"),
    ("The firm is Carex.", "C: c for Charlie, a, r, e, l.", "Carex UNSUPPORTED not_said"),
    # codes
    ("The ticket is REQ20917.", "C: It's REQ20917.", "REQ20917 SUPPORTED"),
    ("The ticket is REQ20917.", "C: It's r e q two oh nine one seven.", "REQ20917 SUPPORTED loose_reading"),
    ("The ticket is REQ20971.", "C: It's r e q two oh nine one seven.", "REQ20971 UNSUPPORTED not_said"),
    ("The ticket is RFQ20817.", "C: It's REQ20917.", "RFQ20817 UNSUPPORTED not_said"),
    ("The plate is WR17 KJO.", "C: whiskey romeo one seven kilo juliet oscar.",
     "WR17 KJO SUPPORTED loose_reading"),
    ("The plate is WR17 KJD.", "C: whiskey romeo one seven kilo juliet oscar.",
     "WR17 KJD UNSUPPORTED not_said"),
    ("The car is a CX-5.", "C: It's a c x five.", "CX-5 SUPPORTED loose_reading"),
    ("The car is a CX-9.", "C: It's a c x five.", "CX-9 UNSUPPORTED not_said"),
    ("The postcode is IG10 2HK.", "C: i g ten, two h k.", "IG10 2HK SUPPORTED loose_reading"),
    ("The plate is LD17 XYZ.", "C: Lima Delta one seven, X-ray Yankee Zulu.", "LD17 XYZ SUPPORTED loose_reading"),
    ("The code is QFR82K.", "C: q for quebec f for foxtrot r for romeo eight two k",
     "QFR82K SUPPORTED loose_reading"),
    ("The model is XT-2150.", "C: It's the x t twenty one fifty.", "XT-2150 SUPPORTED loose_reading"),
    ("The model is XT-2160.", "C: It's the x t twenty one fifty.", "XT-2160 UNSUPPORTED not_said"),
    ("The part is 6220Z.", "C: 6-double-2-0-Z, the Z matters.", "6220Z SUPPORTED loose_reading"),
    ("The postcode is M21 9WD.", "C: m twenty one nine double you d", "M21 9WD SUPPORTED loose_reading"),
    ("It ends in AA93.", "C: alpha, alpha, niner, three", "AA93 SUPPORTED loose_reading"),
    ("They stock Michelin.", "C: Mitch Elin and others.", "Michelin SUPPORTED sounds_like"),
    ("It is on Goethestraße.", "C: On Goethe Strasse.", "Goethestraße SUPPORTED loose_reading"),
    ("The code is B4F922AC.", "C: b four f nine two two a c.", "B4F922AC SUPPORTED loose_reading"),
    # firms that are ordinary words; the first word of a sentence
    ("She bought it at Target.", "C: I bought it at target.", "Target SUPPORTED"),
    ("She is with Orange Mobile.", "C: I'm with Orange Mobile.", "NO_CHECKABLE_CLAIMS"),
    ("Okafor called about the kiln.", "C: Okafor here, about the kiln.", "Okafor SUPPORTED"),
    ("Pruett called about the kiln.", "C: Okafor here, about the kiln.", "Pruett UNSUPPORTED not_said"),
]
THINGS = [                      # a thing that binds who acts on a summary; the last column is its grade, "-" where it is no claim
    ("She has to bring proof of address.", "C: Just bring yourself.", "proof", "UNSUPPORTED not_said"),
    ("She has to bring proof of address.", "C: Bring a utility bill.", "proof", "SUPPORTED general_word"),
    ("She has to bring proof of address.", "C: Have you any proof?", "proof", "SUPPORTED"),
    ("Photo ID is required.", "C: Come as you are.", "Photo", "UNSUPPORTED not_said"),
    ("Photo ID is required.", "C: Bring your passport.", "Photo", "SUPPORTED general_word"),
    ("A deposit was taken.", "C: Put fifty pounds down and it's yours.", "deposit", "SUPPORTED general_word"),
    ("A deposit was taken.", "C: I'd want twenty down.", "deposit", "SUPPORTED general_word"),
    ("A deposit was taken.", "C: I'd want 20 down.", "deposit", "SUPPORTED general_word"),
    ("A deposit was taken.", "C: I'd want some pounds down.", "deposit", "SUPPORTED general_word"),
    ("The warranty is over.", "C: The warrenty is over.", "warranty", "SUPPORTED sounds_like"),
    ("She has the Gold Warranty.", "C: I have the gold warranty.", "Warranty", "-"),          # of the name
    ("A deposit was taken.", "C: Sit down, I'll put the kettle on.", "deposit", "UNSUPPORTED not_said"),
    ("The visit needs a deposit, cleaning included.", "C: It's a depot.", "deposit", "UNSUPPORTED not_said"),
    ("The signed waiver is due.", "C: I'll sign it.", "waiver", "SUPPORTED general_word"),
    ("No deposit is needed.", "C: Come as you are.", "deposit", "-"),
    ("It works without a voucher.", "C: Come as you are.", "voucher", "-"),
    ("Deposit: none.", "C: Come as you are.", "Deposit", "-"),
    ("She was not asked for a referral.", "C: Come as you are.", "referral", "-"),
    ("Her complaint was noted.", "C: The soup was cold.", "complaint", "-"),       # summaries call much so
]
NAMELESS = [                    # no name is read in them
    "Later it rained.", "Parking is free.", "Samples can be brought in.", "The Customer called the Agent.",
    "On Monday in March.", "The English teacher and an Italian cook met.", "Send the PIN by SMS as a PDF.",
    "Her MOT is due.", "Outcome: settled.\nNext Step: none.", "## Call Summary\nIt rained.",
    "THE AGENT CALLED BRIDGET OKAFOR.", "the agent called bridget okafor.", "She was VERY happy.",
    "It was a GREAT talk.", "Mr and Mrs.", "Yes, No, OK.",
]

class Names(Graded):
    """Names and codes: the same words, as a recogniser writes them, or the record's own; no foreign ones."""

    def test_names(self):
        self.check(NAMES)

    def test_what_is_no_name(self):
        for summary in NAMELESS:
            with self.subTest(summary=summary):
                self.assertNotIn("name", [kind for kind, _ in claims(summary)])

    def test_things(self):
        for summary, said, value, expected in THINGS:
            with self.subTest(summary=summary, call=said):
                rows = [row for row in audit(summary, said)["claims"] if (row["kind"], row["value"]) == ("name", value)]
                self.assertEqual([" ".join(filter(None, (row["grade"], row.get("reason"), row.get("rule")))) for row in rows],
                                 [expected] * (expected != "-"))

    def test_every_word_for_a_thing_bears_it_out(self):
        for thing, words in auditor.BINDING_THINGS.items():
            for word in words + ["brick"]:
                said = "C: We spoke of the " + word.replace("#", "ten").replace("+", " it ") + "."
                rows = [row for row in audit(f"She needs the {thing}.", said)["claims"] if row["value"] == thing]
                with self.subTest(thing, word=word):
                    self.assertEqual([row["grade"] for row in rows], ["UNSUPPORTED" if word == "brick" else "SUPPORTED"])

    def test_a_thing_in_the_records_fields(self):
        said = record("Her voucher is valid.", "A: Is it still valid? / C: It is.", goal="Ask about the coupon.")
        row, = [row for row in auditor.card_of(auditor.audit_task(read_call(said, "x")))["claims"] if row["kind"] == "name"]
        self.assertEqual((row["grade"], row["rule"]), ("SUPPORTED", "record_field"))

    def test_a_short_word_at_the_end_is_no_outcome(self):
        for last, warnings in (("TBC", []), ("ESCALATE_NOW", ["outcome_not_read"])):
            card = audit(f"It goes on Monday. {last}", "C: It goes on Monday.")
            self.assertEqual(card["warnings"], warnings, last)

    def test_a_name_counts_once_a_sentence(self):
        found = claims("Okafor called Pruett, and Pruett met Ames. Pruett left.")
        self.assertEqual((found.count(("name", "Pruett")), found.count(("name", "Okafor"))), (2, 1))

    def test_told_instead(self):
        said = "A: Who will do the fitting? / C: It was going to be Callum, no, Callum is off. / A: All right. / " \
               "C: It has to be Jessamy. / A: Jessamy, noted. / C: Yes, Jessamy does the fitting on Friday. / " \
               "A: Thank you, and shall I tell Mrs Ames? / C: Do, please."
        rest = said.replace("Jessamy", "Callum")
        for summary, said, grade in (("Callum will do the fitting.", said, "UNSUPPORTED superseded"),
                                     ("Jessamy will do the fitting.", said, "SUPPORTED "),
                                     ("Jessamy comes, not Callum, for the fitting.", said, "SUPPORTED "),
                                     ("Callum will do the fitting.", rest, "SUPPORTED ")):
            with self.subTest(summary):
                rows = [row for row in audit(summary, "A: Hello, this is the shop about your new kitchen, and I "
                        "wanted to go over a few things with you before the work begins, if you have the time. / "
                        "C: Sure, go ahead, I am listening, the kids are at school and I have a coffee, so we can "
                        "talk it all through in peace today. / " + said)["claims"] if row["kind"] == "name"]
                self.assertEqual({f"{row['grade']} {row.get('reason', '')}" for row in rows}, {grade})

    def test_among_many_names_another_is_near_by_chance(self):
        said = "A: Who will do the fitting? / C: It was going to be Callum, no, Callum is off. / C: It has to be " \
               "Jessamy. / A: Jessamy, noted. / C: Yes, Jessamy does the fitting on Friday. / A: Thank you."
        opening = "C: " + "I am at home all day and we can go through the list in peace. " * 5 + " / "
        crowd = " / C: We also had Ames, Bell, Cole, Dunne, Ely, Frost, Gale, Hobbs, Innes, Judd, Kemp, Lyle, Moss, " \
                "Nunn, Orr, Pike, Quill, Rudd, Swann and Tully here."
        for call, grades in ((opening + said, {"UNSUPPORTED"}), (opening + said + crowd, {"SUPPORTED"})):
            rows = audit("Callum will do the fitting.", call)["claims"]
            self.assertEqual({row["grade"] for row in rows if row["kind"] == "name"}, grades)

    def test_the_records_own_names(self):
        rows = [({"goal": "Ask Lena Park about the kiln."}, "SUPPORTED"),
                ({"metadata": {"customer": {"name": "Lena Park"}}}, "SUPPORTED"),
                ({"to": {"name": "Lena Park", "number": "+1 555-0142"}}, "SUPPORTED"),
                ({"goal": "Ask Mira Sand about the kiln."}, "UNSUPPORTED"), ({}, "UNSUPPORTED")]
        for fields, grade in rows:
            with self.subTest(fields=fields):
                said = record("Lena Park wants a kiln.", "A: Do you want a kiln? / C: I do.", **fields)
                call = read_call(said, "x")
                row = auditor.card_of(auditor.audit_task(call))["claims"][0]
                self.assertEqual((row["value"], row["grade"]), ("Lena Park", grade))
                self.assertEqual(row.get("rule"), "record_field" if grade == "SUPPORTED" else None)

    def test_near_names_are_told_instead(self):
        row = audit("She asked for Ingrid.", "C: Is Ingmar there?")["claims"][0]
        self.assertEqual([one["value"].lower() for one in row["said_instead"]], ["ingmar"])

    def test_strict_takes_no_neighbour(self):
        self.check([("She asked for Cissy.", "C: Is Sissy there?", "Cissy UNSUPPORTED strict"),
                    ("She asked for Cissy.", "C: Is Cissy there?", "Cissy SUPPORTED")], strict=True)


# --------------------------------------------------------------------------------------------- ledger

MOVE_ROWS = [                   # what is said, to what, the state it leads to; example, near miss
    ("yes", "ask", "agreed", "A: Shall I keep the kiln? / C: Yes, please.",
     "A: Shall I keep the kiln? / C: Olga has one."),
    ("ok", "ask", "agreed", "A: May we come on Friday? / C: Okay.", "A: May we come on Friday? / C: Hello?"),
    ("done", "ask", "agreed", "A: Could you note that down? / C: All done.",
     "A: Could you note that down? / C: All blue."),
    ("no", "ask", "refused", "A: Shall I keep the kiln? / C: No, thanks.",
     "A: Anything else? / C: No, thanks."),
    ("yes", "info", "agreed", "A: Did the payment go through? / C: Yes.",
     "A: Did the payment go through? / C: Maybe."),
    ("no", "info", "refused", "A: Did the payment go through? / C: No, not yet.",
     "A: Did the payment go through? / C: Nora paid."),
    ("close", "ask", "refused", "A: Do you want a lid? / C: No, that's all.",
     "A: Do you want a lid? / C: The blue lid."),
    ("gone", "ask", "refused", "A: Is the noon slot free? / C: That one is taken.",
     "A: Is the noon slot free? / C: Let me look."),
    ("fail", "ask", "refused", "A: Could you take the card? / C: It was rejected.",
     "A: Could you take it? / C: It was red."),
    ("open", "ask", "open", "A: Can you come on Friday? / C: Maybe.",
     "A: Can you come on Friday? / C: May Day."),
    ("yes", "tell", "agreed", "A: We come on Monday at nine. / C: Yes, perfect.",
     "A: We come on Monday. / C: Which Monday?"),
    ("no", "tell", "refused", "A: We come on Monday. / C: No, I'm away.",
     "A: We come on Monday. / A: No, on Tuesday."),
]

class Ledger(unittest.TestCase):
    """What the other side answers moves what was put."""

    def first(self, said):
        """(what was put, its state, what moved it) of a call's first entry."""
        entry = auditor.Dialogue(auditor.read_turns(turns(said))).entries[0]
        return entry.put, entry.state, entry.by and entry.by[0].does

    def test_moves(self):
        self.assertEqual({row[:2] for row in MOVE_ROWS}, set(auditor.MOVES))
        for does, put, state, example, near in MOVE_ROWS:
            with self.subTest(said=does, put=put):
                self.assertEqual(self.first(example), (put, state, does))
                self.assertNotEqual(self.first(near)[1], state)

    def test_a_side_question_delays_the_answer(self):
        said = "A: Shall I keep the kiln? / C: Which one? / A: The blue one. / C: Yes, please."
        self.assertEqual(self.first(said)[1], "agreed")

    def test_a_machine_answers_nothing(self):
        said = "A: Shall I keep the kiln? / C: Please leave a message after the tone. Yes, press one."
        self.assertEqual(self.first(said)[1], None)

    def test_a_closing_no_refuses_nothing(self):
        for said in ("A: Anything else? / C: No, that's all.", "A: Any questions? / C: No.",
                     "A: Can I help you further? / C: No."):
            with self.subTest(said):
                self.assertEqual(self.first(said)[:2], ("else", None))


# -------------------------------------------------------------------------------------------- grounds

REASON_ROWS = [                 # reason, summary, call, near miss: the same summary with another call
    ("not_said", "The permit costs $54.", "C: It's forty-five dollars.", "C: It's fifty-four dollars."),
    ("not_said", "She asked for Ingrid.", "C: Is Astrid there?", "C: Is Ingrid there?"),
    ("not_said", "The code is KX-72.", "C: It's k x seven four.", "C: It's k x seven two."),
    ("kind_absent_from_transcript", "The permit costs $54.", "C: It's not dear.",
     "C: It's fifty-four dollars."),
    ("never_mentioned", "A brochure will be emailed.", "A: Is the kiln hot? / C: It is.",
     "A: I'll email you a brochure. / C: Good."),
    ("never_mentioned", "The policy was renewed.", "A: Shall we meet? / C: Yes.",
     "A: Shall I renew the policy? / C: Yes."),
    ("superseded", "The visit is on Monday.",
     "A: Is Monday good for the visit? / C: No, Tuesday. / A: Tuesday, then. / C: Yes, Tuesday.",
     "A: Is Monday good for the visit? / C: Yes, Monday. / A: Then Monday it is."),
    ("refused", "He accepted the upgrade.", "A: Would you like the upgrade? / C: No, thank you.",
     "A: Would you like the upgrade? / C: Yes, please."),
    ("refused", "The parcel was refunded.", "A: Could you refund the parcel? / C: No, we can't.",
     "A: Could you refund the parcel? / C: Yes, we will."),
    ("failed", "The payment was completed.",
     "C: Can you take the payment? / A: I tried it, the payment was rejected.",
     "C: Can you take the payment? / A: It's completed, the payment went through."),
    ("hedged", "She confirmed the visit.", "A: Can you confirm the visit? / C: Maybe.",
     "A: Can you confirm the visit? / C: Yes, I can."),
    ("only_agent_said", "The visit was confirmed.", "A: I'm calling to confirm the visit. / C: Who is this?",
     "A: I'm calling to confirm the visit. / C: Yes, confirmed."),
    ("wrong_party", "Mr Oro confirmed the visit.",
     "A: Is that Mr Oro? It's about your visit. / C: No, you have the wrong number.",
     "A: Is that Mr Oro? It's about your visit. / C: Yes, I confirm it."),
    ("not_by_agent", "The agent emailed a copy.", "C: Did it come by email?", "A: I've emailed you a copy."),
    ("recorded_voice", "She confirmed the visit.",
     "C: Please leave a message after the tone. / A: Hello, about the visit.",
     "C: Hello, Rosa here. / A: Can you confirm the visit? / C: Yes, confirmed."),
]
MENDED = [                      # the faults that the judging half was rebuilt for
    # what goes on after a no is not decided by it
    ("The interim service was booked for Thursday.",
     "A: Is a full service free on Thursday? / C: No, only the interim. / A: The interim, then. / "
     "C: One eighty, bring it at 8:15. / A: He'll be there.", "book UNFLAGGED"),
    ("The full service was booked for Thursday.",
     "A: Can you book a full service on Thursday? / C: No, we can't. / A: All right, thank you.", "book FLAGGED"),
    # the agent's own word is not the other side's
    ("The agent agreed to remove the number.", "C: take me off your list / A: I'll do that now.", "accept UNFLAGGED"),
    ("The owner agreed to the visit.", "A: May we come? / C: No, take me off your list.", "accept FLAGGED"),
    # what is cancelled as something is moved
    ("The Friday visit was moved to Monday.", "C: I need to move my Friday visit to Monday. / "
     "A: You're down for Monday. The Friday one is cancelled.", "reschedule UNFLAGGED"),
    # who was not reached may be another than who spoke
    ("Rosa herself was not reached.", "A: Is this Rosa? / C: No Rosa here, I've had this phone two years.",
     "no-answer UNFLAGGED"),
    # a maybe about another matter, in a call of several
    ("The scan was moved to Monday.", "A: Is this Rosa? / C: Speaking. / A: The scan is on Monday instead of Friday. / "
     "C: Monday, okay. And may I eat? / A: No breakfast, please. / C: And my tablets? / A: I can't say.",
     "reschedule UNFLAGGED"),
    ("The scan was moved to Monday.", "A: The scan is on Friday. Can we move it? / C: I can't say.", "reschedule FLAGGED"),
    # a new verb behind a not, with no comma between
    ("The parents will call in the morning.", "C: and tomorrow / A: they don't know yet they will call in the morning",
     "call back UNFLAGGED"),
    # what was not done, in a call where something else was
    ("The board did not approve a red door.", "A: The board met. A red door wasn't approved. / C: Next door has one! / "
     "A: That was before the rules. / C: Can I appeal? / A: Yes, in writing. / C: And the lamp? / "
     "A: The lamp was approved. / C: Good.", "accept UNFLAGGED"),
    # a call of several things settles no value by its last one
    ("A half plot is \xa322 a year.", "A: I'm calling about a plot. / C: He's number four. / A: Is a half plot any quicker? / "
     "C: Yes, I've a half plot free now, twenty-two a year, full ones are forty. / A: He'd take the half plot. / "
     "C: He can. / A: Thank you. / C: Bye.", "22 SUPPORTED"),
    ("The room was not reserved.", "A: Can you reserve the room? / C: Yes, it's reserved.", "book FLAGGED"),
    # what was so before the call, and what is still to be done
    ("He wants to move his visit, booked for Friday.", "C: I can't make Friday, can it be moved?", "friday SUPPORTED"),
    ("To be booked at pickup.", "C: We'll see about the second one then.", "NO_CHECKABLE_CLAIMS"),
    # no refusals
    ("The visit was moved to Friday.", "A: Can it be Friday instead? / C: That's no problem.", "reschedule UNFLAGGED"),
    ("The fee was agreed.", "A: Is the fee all right? / C: Yes. / A: I'll pass that on.", "accept UNFLAGGED"),
    ("The car was booked in.", "A: Does he wait or leave it? / C: Leave it, it's booked in.", "book UNFLAGGED"),
    ("The item goes back on sale.", "C: After six we put it back on the rack.", "NO_CHECKABLE_CLAIMS"),
    # a deed whose time is said was spoken of
    ("The mulch was moved to 7:30 a.m.", "A: Tomorrow, please. / C: 7:30 then, he'll be first.", "reschedule UNFLAGGED"),
    # a head "no" colours nothing behind it
    ("The lane is booked.", "A: Your lane is booked. / C: no please cancel it", "book CONTRADICTED"),
    ("The lane is booked.", "A: Your lane is booked. / C: thanks please keep it", "book SUPPORTED"),
    # a noun of everyday phrases still binds
    ("The card was cancelled.",
     "A: Shall I cancel the card? / C: Yes. / A: Shall I cancel the payment too? / C: No.",
     "cancel UNFLAGGED"),
    ("The card was cancelled.", "A: Shall I cancel the card? / C: Yes, please.",
     "cancel SUPPORTED answered_question"),
    ("The card was cancelled.", "A: Shall I cancel the card? / C: No, thanks.", "cancel CONTRADICTED"),
    ("The payment was cancelled.",
     "A: Shall I cancel the card? / C: Yes. / A: Shall I cancel the payment too? / C: No.", "cancel FLAGGED"),
    # an adverb inside a phrase
    ("She confirmed.", "A: Can you come? / C: I can't really make it.", "confirm CONTRADICTED"),
    ("He accepted the tea.", "A: Would you just like the tea? / C: No, thanks.", "accept CONTRADICTED"),
    ("He accepted the tea.", "A: Would you just like the tea? / C: Yes, please.",
     "accept SUPPORTED answered_question"),
    # a deed asked for and done
    ("It was moved to eleven.", "C: Move it to eleven, please. / A: Done.",
     "reschedule UNFLAGGED; 11:00 UNFLAGGED"),
    # tried in vain
    ("The agent attempted to transfer the call but was unsuccessful.",
     "A: Let me put you through. / A: Sorry, nobody picks up there. / C: Okay.", "NO_CHECKABLE_CLAIMS"),
    # what was turned down, beside what was agreed
    ("Friday at 8:30 was turned down.",
     "A: Friday at 8:30? / C: No, I can't do that. / A: Monday at nine? / C: Yes.",
     "decline UNFLAGGED; friday SUPPORTED"),
    # a value in its own right
    ("He asked about the \xa3312 bill.",
     "C: I got a bill for \xa3312. / A: I see. It should have been \xa3280. / C: Good.", "312 SUPPORTED"),
    # deeds of the past are no promises
    ("He had emailed pictures of the leak.", "C: I sent the pictures of the leak by email last week.",
     "email UNFLAGGED"),
    ("He had already restarted the router.", "C: I've turned the router off and on again.",
     "reset UNFLAGGED"),
    ("She filed for divorce in May.", "C: I'm getting a divorce since May.", "file UNFLAGGED"),
    # a deed asked after, and denied
    ("The order was shipped.", "A: Has my order shipped? / C: No, not yet.", "ship FLAGGED"),
    ("The order was shipped.", "A: Has my order shipped? / C: Yes, it has.", "ship UNFLAGGED"),
    ("The rent was paid.", "A: Did you pay the rent? / C: No, I forgot.", "pay FLAGGED"),
    ("The rent was paid.", "A: Did you pay the rent? / C: Yes, yesterday.", "pay UNFLAGGED"),
    # what a mask leaves
    ("The code is 42.", "C: My number is 555-0142.", "42 UNSUPPORTED"),
    ("The code is 42.", "C: The code is 42.", "42 SUPPORTED"),
]
RECORD_ROWS = [                 # facts of the record, turns, summary, grade, rule or reason
    ({"no-answer": "failure_code=no_answer"}, "", "The visit was confirmed.", "UNSUPPORTED", "record_field"),
    ({"voicemail": "answered_by=voicemail"}, "", "She agreed to the visit.", "UNSUPPORTED", "record_field"),
    ({"no-answer": "failure_code=no_answer"}, "", "Nobody answered.", "SUPPORTED", "record_field"),
    ({"human": "answered_by=human"}, "", "Nobody answered.", "UNSUPPORTED", "record_field"),
    # a late failed status beside a real conversation decides nothing
    ({"failed": "status=failed"}, "A: Can you confirm the visit? / C: Yes, confirmed.",
     "The visit was confirmed.", "SUPPORTED", None),
]


class Grounds(Graded):
    """A claim is flagged on grounds only; each reason has an example and a near miss."""

    def rows(self, summary, said):
        return [(row["grade"], row.get("reason")) for row in audit(summary, said)["claims"]]

    def test_reasons(self):
        for reason, summary, said, near in REASON_ROWS:
            with self.subTest(reason=reason, summary=summary):
                self.assertIn(reason, [why for _, why in self.rows(summary, said)])
                grades = {grade for grade, _ in self.rows(summary, near)}
                self.assertEqual(grades & {"UNSUPPORTED", "CONTRADICTED"}, set())

    def test_every_reason_of_a_flag_has_a_sentence_and_an_example(self):
        shown = {row[0] for row in REASON_ROWS} | {"record_field", "strict", "language_not_supported"}
        later = {"UNDECIDED", "not_said_instead"} | {"quote_not_said", "was_done", "summary_denies"}      # of fields
        self.assertEqual(set(auditor.WHY) | {"record_field"}, shown | later)

    def test_only_the_other_sides_words_and_machines_contradict(self):
        rows = [("He accepted the lid.", "A: Would you like the lid? / C: No, thanks.", "CONTRADICTED"),
                ("The lane was booked.",
                 "C: One lane, please. / A: Sorry, the lane could not be booked. / C: Oh.", "UNSUPPORTED"),
                ("She confirmed the visit.",
                 "C: Please leave a message after the tone. / A: Hello.", "CONTRADICTED"),
                ("She confirmed the visit.", "A: Can you confirm the visit? / C: Maybe.", "UNSUPPORTED")]
        for summary, said, grade in rows:
            with self.subTest(summary=summary, call=said):
                row = audit(summary, said)["claims"][0]
                self.assertEqual(row["grade"], grade)
                self.assertEqual("contradicted_by_turn" in row, grade == "CONTRADICTED")

    def test_fields_of_the_record(self):
        for facts, said, summary, grade, why in RECORD_ROWS:
            with self.subTest(summary=summary, facts=facts):
                row = auditor.analyze(turns(said) if said else [], summary, facts=facts)["claims"][0]
                self.assertEqual((row["grade"], row.get("rule") or row.get("reason")), (grade, why))

    def test_neither_found_nor_on_grounds_is_undecided(self):
        card = audit("The room was upgraded.", "C: The room is yours, I've looked at it. All done.")
        self.assertEqual((card["verdict"], card["reason"]), ("NO_CHECKABLE_CLAIMS", "undecided"))
        self.assertEqual(card["score"], 1.0)
        self.assertEqual(list(card["counts"].items()), [
            ("checkable", 0), ("supported", 0), ("unsupported", 0), ("contradicted", 0), ("undecided", 1)])
        self.assertEqual(card["reasoning"], "no checkable claims")
        self.assertTrue(card["claims"][0]["why"])
        card = audit("The room was upgraded for $40.", "C: The room is yours, forty dollars. All done.")
        self.assertEqual((card["verdict"], card["score"], card["counts"]["undecided"]), ("FAITHFUL", 1.0, 1))

    def test_undecided_is_unverified_in_strict(self):
        said = "C: The room is yours, I've looked at it. All done."
        card = audit("The room was upgraded.", said, strict=True)
        row = card["claims"][0]
        self.assertEqual(card["verdict"], "UNSUPPORTED_CLAIMS")
        self.assertEqual((row["grade"], row["reason"]), ("UNSUPPORTED", "strict"))
        self.assertEqual(card["counts"]["undecided"], 0)

    def test_every_card_keeps_its_word(self):
        """Rules and reasons are words of `explain`; the other side contradicts; a quote is from its turn."""
        words = {word for _, word, *_ in auditor.explanations()}
        for summary, said, _ in VALUES + OUTCOMES + RECORDED + ACTIONS + MENDED + NAMES:
            spoken_by = {n: turn for n, turn in enumerate(turns(said))}
            for row in audit(summary, said)["claims"]:
                with self.subTest(summary=summary, call=said, value=row["value"]):
                    self.assertLessEqual({row[key] for key in ("rule", "reason") if key in row}, words)
                    self.assertEqual("contradicted_by_turn" in row, row["grade"] == "CONTRADICTED")
                    if row["grade"] == "CONTRADICTED":
                        self.assertEqual(spoken_by[row["contradicted_by_turn"]]["speaker"], "callee")
                    if row["turn_index"] is not None and "quote" in row:
                        told = mask_pii(spoken_by[row["turn_index"]]["text"])
                        self.assertIn(row["quote"].strip("\u2026"), told)
                    self.assertEqual("match" in row, row["grade"] == "SUPPORTED")
                    if row["grade"] in ("UNSUPPORTED", "CONTRADICTED"):
                        self.assertIn("reason", row)

    def test_honest_rows_have_no_flag_at_all(self):
        """Not on the value that a row asks for, nor on any other."""
        for summary, said, expected in VALUES + OUTCOMES + RECORDED + ACTIONS + MENDED + NAMES:
            if not re.search(r"UNSUPPORTED|CONTRADICTED| FLAGGED", expected):
                with self.subTest(summary=summary, call=said):
                    flags = [row["why"] for row in audit(summary, said)["claims"]
                             if row["grade"] in ("UNSUPPORTED", "CONTRADICTED")]
                    self.assertEqual(flags, [])

    def test_what_mended_faults_leave(self):
        self.check(MENDED)

    def test_a_not_reaches_to_the_next_will(self):
        for said, colours in (("they don't know yet they will send it", {"if", "will"}), ("they don't send it", {"not"}),
                              ("they will not send it", {"not", "will"}), ("I can't say the ward will ring her back", {"if"})):
            with self.subTest(said):
                self.assertEqual(auditor.acts_of(auditor.Text(said)).deeds[0].colours, colours)

    def test_what_is_no_problem_is_no_failure(self):
        for said, acts in (("a cold isn't a problem", []), ("there was a problem", ["fail"])):
            with self.subTest(said):
                self.assertEqual([act.does for act in auditor.acts_of(auditor.Text(said)).acts], acts)

    def test_a_negated_one_is_no_count(self):
        summary = "The caller wanted a table but the agent could not reserve one."
        self.assertNotIn("numeric", [kind for kind, _ in claims(summary)])

    def test_a_code_is_read_whole(self):
        self.assertEqual(claims("The code is B4F922AC."), [("name", "B4F922AC")])

    def test_the_evidence_is_the_place_that_the_clause_is_about(self):
        said = ("C: My knee hurts, it began two weeks ago on the stairs. / A: I see. / C: My boy is well. / "
                "A: Good. / C: You can reach me from two weeks on at my brother's phone number.")
        rows = audit("Her knee has hurt since two weeks ago.", said)["claims"]
        row = next(row for row in rows if row["value"] == "2")
        self.assertEqual((row["grade"], row["turn_index"]), ("SUPPORTED", 0))

    def test_what_was_asked_before_changes_no_grade(self):
        """The same words on another day, in another locale, of another record: each by its own."""
        rows = [("The visit is on March 12.", "C: Tomorrow.", {"call_date": CALL_DAY}, "SUPPORTED"),
                ("The visit is on March 12.", "C: Tomorrow.", {}, "UNSUPPORTED"),
                ("The visit is on March 12.", "C: Tomorrow.", {"call_date": DAY}, "UNSUPPORTED"),
                ("The visit is on June 11.", "C: On 06/11.", {"day_first": True}, "UNSUPPORTED"),
                ("The visit is on June 11.", "C: On 06/11.", {}, "SUPPORTED"),
                ("Nobody answered.", "C: Elm.", {"facts": {"no-answer": "code=no_answer"}}, "SUPPORTED"),
                ("Nobody answered.", "C: Elm.", {}, "UNDECIDED")]
        for order in (rows, rows[::-1], rows):
            for summary, said, options, grade in order:
                with self.subTest(summary=summary, **options):
                    self.assertEqual(audit(summary, said, **options)["claims"][0]["grade"] == "SUPPORTED",
                                     grade == "SUPPORTED")


NO_SUMMARIES = [
    "There is not enough information in the transcript to provide a summary.",
    "I'm sorry, but the transcript appears to be empty.", "The conversation is too short to summarize.",
    "Name: not provided\nDate: not provided\nOutcome: N/A",
    "**Caller:** Not specified\n**Reason:** not mentioned",
]
SUMMARIES_STILL = [             # near misses
    "There was not enough room in the van for 4 crates.", "The caller said sorry; 4 crates were ready.",
    "Name: Okafor\nCrates: 4\nNotes: not provided", "The transcript of her record shows 4 crates.",
]


class NoSummary(unittest.TestCase):
    """What a model writes where it has nothing to tell is no summary."""

    def test_no_summary_given(self):
        for summary in NO_SUMMARIES:
            with self.subTest(summary=summary):
                card = audit(summary, "A: Hello? / C: Hello?")
                self.assertEqual(card["verdict"], "NO_CHECKABLE_CLAIMS")
                self.assertEqual(card["reason"], "no_summary_given")
                self.assertEqual(card["counts"]["checkable"], 0)

    def test_near_misses(self):
        for summary in SUMMARIES_STILL:
            with self.subTest(summary=summary):
                card = audit(summary, "A: How many crates? / C: Four crates, Okafor here.")
                self.assertNotEqual(card.get("reason"), "no_summary_given")

    def test_headings_and_labels_are_no_claims(self):
        for summary in ("Outcome: a nice talk.\nNext Step: none.", "# Call With Okafor\nA nice talk.",
                        "**Booked Visits**\nA nice talk."):
            with self.subTest(summary=summary):
                self.assertEqual({kind for kind, _ in claims(summary)}, {"non_checkable_opinion"})


# ---------------------------------------------------------------------------------------- check first

TALK = ("A: Can you confirm the kiln repair for Monday at nine? / C: Not sure yet, I might be away. / "
        "A: Shall I send the quote of eighty dollars? / C: Yes, please. / A: The quote comes by email. / "
        "C: Thanks.")
TOLD_OF_IT = ("The owner confirmed the kiln repair for Tuesday at nine. The agent will email the quote of "
              "$80. The owner wants a blue lid. He sang in a choir for years.")


class CheckFirst(unittest.TestCase):
    """Up to three stretches of the summary that a person looks at first, each with its reason."""

    def cards(self):
        for path in RECORDS:
            call = load_call_result(path)
            card = auditor.card_of(auditor.audit_call(call))
            yield os.path.basename(path), card, mask_pii(call.summary or "")

    def test_span_cuts_the_text_out(self):
        for name, card, summary in [*self.cards(), ("talk", audit(TOLD_OF_IT, TALK), TOLD_OF_IT)]:
            with self.subTest(name):
                self.assertLessEqual(len(card["check_first"]), 3)
                for row in card["check_first"]:
                    self.assertEqual(list(row), ["text", "span", "why", "turn_index"])
                    self.assertEqual(summary[slice(*row["span"])], row["text"])
                    self.assertRegex(row["why"], r"\A[A-Z$\xa3\u20ac\d\"'\u201c(\u00c0-\u024f].*\.\Z")

    def test_no_stretch_twice(self):
        for name, card, _ in self.cards():
            with self.subTest(name):
                spans = sorted(row["span"] for row in card["check_first"])
                self.assertTrue(all(one[1] <= other[0] for one, other in zip(spans, spans[1:])), spans)

    def test_flagged_stretches_come_first(self):
        """Flagged ones before all others; with three or more of them, nothing but these."""
        for name, card, _ in [*self.cards(), ("talk", audit(TOLD_OF_IT, TALK), TOLD_OF_IT)]:
            with self.subTest(name):
                flagged = [row["span"] for row in card["claims"]
                           if row["grade"] in ("UNSUPPORTED", "CONTRADICTED")]
                hold = [any(first <= span[0] < last for span in flagged) for first, last in (
                    row["span"] for row in card["check_first"])]
                self.assertEqual(hold, sorted(hold, reverse=True))
                if flagged and hold:
                    self.assertTrue(hold[0])

    def test_undecided_before_what_was_found(self):
        summary = ("The garden visit is on Monday at nine. The room was upgraded. The lid costs ten dollars "
                   "and the kiln costs ninety dollars.")
        said = ("A: The garden visit is on Monday at nine. / C: Good. / A: The lid costs ten dollars and the "
                "kiln costs ninety dollars. / C: I've looked at the room.")
        card = audit(summary, said)
        self.assertEqual(card["counts"]["undecided"], 1)
        self.assertEqual(card["check_first"][0]["text"], "The room was upgraded")

    def test_the_riskiest_of_a_talk(self):
        card = audit(TOLD_OF_IT, TALK)
        self.assertIn("Tuesday", card["check_first"][0]["text"])
        self.assertEqual(card["check_first"][0]["turn_index"] in (0, 1), True)

    def test_nothing_to_look_at(self):
        for summary, said in ((None, TALK), ("", TALK), (TOLD_OF_IT, []), (" \n", TALK)):
            with self.subTest(summary=summary):
                self.assertEqual(audit(summary, said)["check_first"], [])


class WhyAndInstead(unittest.TestCase):
    """Each flagged or undecided claim says why in one sentence, and what was said instead."""

    def test_why(self):
        rows = [
            ("The permit costs $54.", "C: It's forty-five dollars.",
             "The call says 45 (turn 1); $54 is said nowhere."),
            ("The code is KX-72.", "C: The lid is blue.", "KX-72 is said nowhere in the call."),
            ("A brochure will be emailed.", "A: Is the kiln hot? / C: It is.",
             "The call has no word of “"),
            ("She confirmed the visit.", "A: Can you confirm the visit? / C: Maybe.", "left open (turn 2)"),
            ("The room was upgraded.", "C: The room is yours. All done.",
             "neither found in the call nor ruled out"),
        ]
        for summary, said, why in rows:
            with self.subTest(summary=summary):
                row = audit(summary, said)["claims"][-1]
                self.assertIn(why, row["why"])
                self.assertEqual((row["why"].count(". "), row["why"][-1]), (0, "."))

    def test_only_what_needs_it_has_them(self):
        for path in RECORDS:
            for row in json.loads(run("audit", path)[1])["claims"]:
                with self.subTest(os.path.basename(path), value=row["value"]):
                    needs = row["grade"] in ("UNSUPPORTED", "CONTRADICTED", "UNDECIDED")
                    self.assertEqual(("why" in row, "said_instead" in row), (needs, needs))
                    self.assertLessEqual(len(row.get("said_instead", ())), 3)

    def test_said_instead(self):
        noise = " / A: I see, and it is all made of good old oak, as it was in the days of my gran. / C: "
        said = "C: " + noise.join(["The lid is sixty dollars.", "The kiln is eighty.", "The door is ninety.",
                                   "The van is seventy. It opens at 9 a.m. on Monday."])
        row = audit("The kiln costs $85.", said)["claims"][0]
        self.assertEqual(row["said_instead"][0]["value"], "80")
        self.assertLessEqual({one["value"] for one in row["said_instead"]}, {"60", "70", "80", "90"})
        self.assertEqual([list(one) for one in row["said_instead"]], [["value", "turn_index", "quote"]] * 3)
        row = audit("It opens at 10 a.m.", said)["claims"][0]
        self.assertEqual([one["value"] for one in row["said_instead"]], ["09:00"])
        row = audit("It opens on Friday.", said)["claims"][0]
        self.assertEqual([one["value"] for one in row["said_instead"]], ["monday"])
        self.assertEqual(audit("It weighs 9 kilos.", "C: Hello.")["claims"][0]["said_instead"], [])

    def test_words_are_the_summarys_own(self):
        for path in RECORDS:
            call = load_call_result(path)
            for row in json.loads(run("audit", path)[1])["claims"]:
                with self.subTest(os.path.basename(path), value=row["value"]):
                    self.assertEqual(row["words"], mask_pii(call.summary)[slice(*row["span"])])

    def test_ids_are_stable(self):
        first = audit(TOLD_OF_IT, TALK, call_id="call_1")["claims"]
        again = audit(TOLD_OF_IT, TALK, call_id="call_1")["claims"]
        self.assertEqual([row["id"] for row in first], [row["id"] for row in again])
        self.assertTrue(all(re.fullmatch("[0-9a-f]{8}", row["id"]) for row in first))
        self.assertEqual(len({row["id"] for row in first}), len(first))
        other = audit("A nice talk. " + TOLD_OF_IT, "C: Hello.", call_id="call_1")["claims"]
        self.assertLessEqual({row["id"] for row in first}, {row["id"] for row in other})
        other = audit(TOLD_OF_IT, TALK, call_id="call_2")["claims"]
        self.assertTrue({row["id"] for row in first}.isdisjoint(row["id"] for row in other))

    def test_an_id_shows_no_seven_digits(self):
        """It is hexadecimal: one in twenty would by chance hold seven digits in a row, which no card may."""
        for number in range(300):
            row = audit(f"The shed has {number + 20} windows.", "C: Hello.", call_id="call_1")["claims"][0]
            self.assertNotRegex(row["id"], r"\d{7}")


# ---------------------------------------------------------------------------------------------- card

CARD_KEYS = ("call_id verdict reason score label reasoning strict claims fields check_first counts "
             "coverage_gaps warnings recipients version schema disclaimer").split()
CLAIM_KEYS = ("text kind value grade turn_index span match rule speaker quote contradicted_by_turn "
              "reason id words why said_instead").split()
FOUR = "C: Four saws, three axes, two rakes, one hoe: $10, $20, $30."
SCORES = [                      # summary, call, score, label, verdict
    ("Four saws.", FOUR, 1.0, "pass", "FAITHFUL"),
    ("Four saws for $99.", FOUR, 0.5, "pass", "UNSUPPORTED_CLAIMS"),
    ("Four saws for $99 or $98.", FOUR, 0.33, "fail", "UNSUPPORTED_CLAIMS"),
    ("Four saws and three axes for $99.", FOUR, 0.67, "pass", "UNSUPPORTED_CLAIMS"),
    ("Four saws and three axes for $10, $20, $30 or $99, $98.", FOUR, 0.71, "pass", "UNSUPPORTED_CLAIMS"),
    ("Sold for $99.", FOUR, 0.0, "fail", "UNSUPPORTED_CLAIMS"),
    ("A pleasant talk.", FOUR, 1.0, "pass", "NO_CHECKABLE_CLAIMS"),
    (None, FOUR, 0.0, "fail", "NO_CHECKABLE_CLAIMS"), ("", FOUR, 0.0, "fail", "NO_CHECKABLE_CLAIMS"),
    (" \n", FOUR, 0.0, "fail", "NO_CHECKABLE_CLAIMS"),
]


class Card(Graded):
    """Verdict, score, label, gaps, warnings, texts; keys in their order."""

    def assert_order(self, card):
        for row, order in [(card, CARD_KEYS)] + [(claim, CLAIM_KEYS) for claim in card["claims"]]:
            self.assertEqual(list(row), [key for key in order if key in row])
        self.assertEqual(list(card["counts"]),
                         ["checkable", "supported", "unsupported", "contradicted", "undecided"])
        for inner in card.get("recipients", ()):
            self.assert_order(inner)

    def test_keys_keep_their_order(self):
        for path in RECORDS:
            with self.subTest(os.path.basename(path)):
                self.assert_order(json.loads(run("audit", path)[1]))

    def test_scores(self):
        for summary, said, score, label, verdict in SCORES:
            with self.subTest(summary=summary):
                card = audit(summary, said)
                self.assertEqual((card["score"], card["label"], card["verdict"]), (score, label, verdict))

    def test_reasons_where_nothing_can_be_checked(self):
        for summary, reason in ((None, "summary_missing"), ("", "summary_missing"),
                                ("Nice talk.", "opinion_only")):
            with self.subTest(summary=summary):
                self.assertEqual(audit(summary, FOUR)["reason"], reason)
        self.assertNotIn("reason", audit("Four saws.", FOUR))

    def test_the_gravest_claim_gives_the_verdict(self):
        said = "A: Four saws? / C: Four, yes. / A: So it is confirmed? / C: No, please cancel it."
        self.assertEqual(audit("Four saws.", said)["verdict"], "FAITHFUL")
        self.assertEqual(audit("Five saws.", said)["verdict"], "UNSUPPORTED_CLAIMS")
        self.assertEqual(audit("Five saws, confirmed.", said)["verdict"], "CONTRADICTED_CLAIMS")

    def test_counts_and_reasoning(self):
        card = audit("Four saws for $99. A pleasant talk.", FOUR)
        self.assertEqual(card["counts"], {
            "checkable": 2, "supported": 1, "unsupported": 1, "contradicted": 0, "undecided": 0})
        self.assertRegex(card["reasoning"], "^1 of 2 claims verified; unverified: numeric 99")
        self.assertEqual(audit("Four saws.", FOUR)["reasoning"], "1 of 1 claims verified")

    def test_coverage_gaps(self):
        said = "A: Shall I keep the kiln? / C: Yes, confirmed, at noon."
        self.assertEqual(audit("The kiln is free at noon.", said)["coverage_gaps"], ["outcome"])
        self.assertEqual(audit("The kiln was confirmed for noon.", said)["coverage_gaps"], [])
        self.assertEqual(audit("We meet at noon.", "C: Come at noon.")["coverage_gaps"], [])

    def test_warnings(self):
        rows = [
            ({"summary": "Four saws.", "transcript": turns(FOUR)}, []),
            ({"summary": "Four saws.", "transcript": []}, ["transcript_missing"]),
            ({"summary": "Four saws.", "transcript": None}, ["transcript_missing"]),
            ({"summary": "Four saws.", "transcript": turns(FOUR), "status": "in_progress"},
             ["call_not_ended"]),
            ({"summary": "Four saws.", "transcript": turns(FOUR), "locale": "fr-FR"},
             ["language_not_supported"]),
            ({"summary": "Four saws.", "transcript": turns(FOUR), "locale": "en-IE"}, []),
        ]
        for fields, warnings in rows:
            with self.subTest(fields=fields):
                card = auditor.card_of(auditor.audit_task(read_call(fields, "x")))
                self.assertEqual(card["warnings"], warnings)

    def test_another_language_is_seen_in_the_text(self):
        said = ("A: Buenos d\xedas, llamo por la cita del martes. / "
                "C: S\xed, la cita es a las 16:30, cuesta 45 euros. / A: Muchas gracias, hasta luego.")
        card = audit("La cita es a las 16:30 y cuesta 45 euros.", said)
        self.assertEqual(card["warnings"], ["language_not_supported"])
        self.assertEqual(self.grades(card, "16:30 SUPPORTED; 45 SUPPORTED"), "16:30 SUPPORTED; 45 SUPPORTED")

    def test_claim_of_a_card(self):
        row = audit("The shed has 4 windows.", "A: How many windows? / C: Four windows.")["claims"][0]
        self.assertEqual(row, {
            "text": "The shed has 4 windows.", "kind": "numeric", "value": "4", "grade": "SUPPORTED",
            "turn_index": 1, "span": [13, row["span"][1]], "match": "literal", "speaker": "callee",
            "quote": "Four windows.", "id": row["id"],
            "words": "The shed has 4 windows."[slice(*row["span"])]})

    def test_turn_index_is_the_items_own(self):
        said = [5, None, {"speaker": "system", "text": "Be kind."},
                {"speaker": "callee", "text": "Four windows."}]
        self.assertEqual(audit("Four windows.", said)["claims"][0]["turn_index"], 3)

    def test_long_texts_are_cut(self):
        filler = "and the talk went on about the weather, the garden and the neighbours, "
        summary = "The owner was glad, " + filler * 8 + "so on the whole a good talk with 4 visitors"
        quote = "Well, " + filler * 8 + "and yes, four visitors came, " + filler * 8
        row = audit(summary + ".", "C: " + quote)["claims"][-1]
        self.assertEqual(row["grade"], "SUPPORTED")
        self.assertLessEqual(len(row["text"]), 400)
        self.assertIn("\u2026", row["text"])
        self.assertLessEqual(len(row["quote"]), 160)
        self.assertIn("four visitors", row["quote"])
        self.assertEqual(mask_pii(summary)[slice(*row["span"])].split(" ")[0], "4")

    def test_texts_of_400_characters_are_not_cut(self):
        summary = "Four saws" + " and more" * 43 + " ok."
        self.assertEqual(len(summary), 400)
        self.assertEqual(audit(summary, FOUR)["claims"][0]["text"], summary)

    def test_call_id_and_disclaimer(self):
        card = auditor.analyze(turns(FOUR), "Four saws.", "call_0142")
        self.assertEqual(card["call_id"], "call_0142")
        self.assertEqual(card["disclaimer"], auditor.DISCLAIMER)
        self.assertIsNone(auditor.analyze(turns(FOUR), "Four saws.")["call_id"])

    def test_nothing_is_raised_on_any_text(self):
        random_ = random.Random(9)
        words = ("four 4 4th $4 4% 4/4 4:4 4:44 p.m. am at to and half quarter past of the oh double noon "
                 "monday may 14th a dozen couple hundred k # = ? . , \n \u2022 - \u2026 1/2/3 24/7 0 -1 1e9 "
                 "9999999999999999999 not no yes confirmed cancel will email call back if \u0130 \xdf "
                 "\ud83d\ude00 \x00 \x1e").split(" ")
        for _ in range(1000):
            summary, said = (" ".join(random_.choices(words, k=random_.randrange(14))) for _ in "ab")
            card = auditor.analyze([{"speaker": random_.choice(["agent", "callee", ""]), "text": said},
                                    {"speaker": "callee", "text": summary}], summary,
                                   call_date=random_.choice([None, CALL_DAY]))
            for row in card["claims"]:
                start, end = row["span"]
                self.assertTrue(0 <= start < end <= len(summary), (summary, row))


class Recipients(unittest.TestCase):
    """A task with several people: each on their own turns, the worst verdict outside."""

    def task(self, *people, summary="Two of the three gardeners have time.", **fields):
        return {"id": "task_seeds", "status": "completed", "summary": summary, **fields, "recipients": [
            {"id": f"rcp_{n}", "summary": told,
             "attempts": [{"transcript_turns": turns(said) if said else []}]}
            for n, (told, said) in enumerate(people, 1)]}

    def card(self, *people, **fields):
        return auditor.card_of(auditor.audit_task(read_call(self.task(*people, **fields), "x")))

    HONEST = ("The hedge costs $60.", "A: What does a hedge cost? / C: Sixty dollars.")
    FALSE = ("The hedge costs $90.", "A: What does a hedge cost? / C: Eighty dollars.")

    def test_each_on_their_own_turns(self):
        card = self.card(self.HONEST, self.FALSE, (None, None), summary="The prices are $60 and $80.")
        self.assertEqual([one["verdict"] for one in card["recipients"]],
                         ["FAITHFUL", "UNSUPPORTED_CLAIMS", "NO_CHECKABLE_CLAIMS"])
        self.assertEqual(card["verdict"], "UNSUPPORTED_CLAIMS")
        self.assertEqual({row["grade"] for row in card["claims"]}, {"SUPPORTED"})
        self.assertEqual(card["recipients"][2]["reason"], "summary_missing")

    def test_a_value_of_another_call_is_no_evidence(self):
        card = self.card(self.HONEST, ("The hedge costs $60.", self.FALSE[1]))
        self.assertEqual([one["verdict"] for one in card["recipients"]], ["FAITHFUL", "UNSUPPORTED_CLAIMS"])

    def test_a_count_of_recipients_is_anchored_by_the_record(self):
        card = self.card(self.HONEST, self.HONEST, (None, None), summary="One of three did not answer.")
        rows = {row["value"]: (row["grade"], row.get("rule")) for row in card["claims"]}
        self.assertEqual(rows["3"], ("SUPPORTED", "record_field"))

    def test_one_recipient_gives_one_card(self):
        card = self.card(self.HONEST, summary=None)
        self.assertNotIn("recipients", card)
        self.assertEqual((card["call_id"], card["verdict"]), ("task_seeds", "FAITHFUL"))


# -------------------------------------------------------------------------------------- render: text

class RenderText(Files):
    """For a person at a terminal, and harmless to it."""

    def test_flagged_first_then_check_first_then_the_rest_in_a_line_each(self):
        lines = auditor.render_text(CARD_IN_FULL).split("\n")
        self.assertTrue(lines[0].startswith("FAILS  UNSUPPORTED_CLAIMS  0.50  call_saws"), lines[0])
        self.assertIn("check the unverified claims", lines[1])
        self.assertEqual(lines[2:], [
            "  [?] 5 axes, number, turn 3 [2], not_said",
            "      says: They need 5 axes.",
            "      why: The call says 6 (turn 3); 5 axes is said nowhere.",
            "      call: callee: Six axes, please.",
            "      said instead: 6, turn 3 [2]: Six axes, please.",
            "      second opinion: unsupported Six axes, please.",
            "  check first: \"They need 5 axes\" turn 3 [2]",
            "  check first: \"for the shed\" turn 1 [0] Few of its words are said in the call.",
            "  with the second opinion: UNSUPPORTED_CLAIMS, 1 of 2 claims verified",
            "  [.] a shed, name, Shed Co",
            "  [+] order.saws, 4, number, turn 2 [1], loose_reading",
            "  [-] It went well., opinion",
            "  gap outcome: The call reached an outcome that the summary does not name.",
            "  warning call_not_ended: The call had not ended when this was recorded.",
            auditor.TEXT_LEGEND, ""])

    def test_a_flag_without_another_value_quotes_the_call(self):
        row = {**CARD_IN_FULL["claims"][1], "said_instead": [], "quote": "No axes.", "speaker": "callee"}
        out = auditor.render_text({**CARD_IN_FULL, "claims": [row]})
        self.assertIn("      call: callee: No axes.\n", out)
        self.assertNotIn("said instead", out)

    def test_the_rest_takes_one_line_however_long_its_words_are(self):
        row = {**CARD_IN_FULL["claims"][2], "words": "so very long " * 40}
        out = auditor.render_text({**CARD_IN_FULL, "claims": [row], "check_first": []}, width=60)
        lines = [line for line in out.split("\n") if "so very" in line]
        self.assertEqual([line[-1:] for line in lines], ["…"])
        self.assertLessEqual(len(lines[0]), 60)

    def test_the_page_and_the_text_number_turns_alike(self):
        path = self.write("call.json", record("They need 5 axes.", "A: How many axes? / C: Six axes."))
        out, page = (run("audit", "--format", form, path)[1] for form in ("text", "html"))
        self.assertIn("turn 2 [1]", out)
        self.assertRegex(page, r'<a href="#\w+\.t2">turn 2</a>, callee: <q><mark>Six axes</mark>')

    def test_colour_tells_the_grade_only_if_asked(self):
        card = audit("4 saws, 5 axes.", "C: Four saws.")
        self.assertNotIn("\x1b", auditor.render_text(card))
        painted = auditor.render_text(card, colour=True)
        self.assertIn("\x1b[", painted)
        self.assertEqual(re.sub(r"\x1b\[\d*m", "", painted), auditor.render_text(card))

    def test_control_characters_never_reach_the_terminal(self):
        evil = "\x1b[2J\x07\x08\x9b31m\x00\x7f\u202e\u2066\r"
        call = record(f"Four {evil} saws.{evil}", f"C: Four {evil} saws.", call_id="id" + evil)
        path = self.write("call.json", call)
        for form in ("text", "json", "html"):
            with self.subTest(form):
                code, out, err = run("audit", "--format", form, path)
                self.assertEqual((code, err), (0, ""))
                self.assertNotRegex(out, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

    def test_control_characters_in_errors(self):
        for args in (["no\x1b[2J.json"], ["a.json", "no\x1b]0;x\x07.json", "--format", "text"]):
            code, out, err = run("audit", *args)
            self.assertEqual(code, 2)
            self.assertNotIn("\x1b", out + err)
            self.assertNotIn("\x07", out + err)

    def test_recipients_and_warnings_are_shown(self):
        out = auditor.render_text({**CARD_IN_FULL, "recipients": [CARD_IN_FULL, page_card(label="pass")]})
        for words in ("\n  recipient 1\n  FAILS  UNSUPPORTED_CLAIMS", "\n    [?] 5 axes",
                      "\n  recipient 2\n  PASSES  FAITHFUL"):
            self.assertIn(words, out)
        self.assertEqual(out.count(auditor.TEXT_LEGEND), 1)
        self.assertIn("language_not_supported", run("audit", "--format", "text", fixture("non_english"))[1])

    @unittest.skipUnless(POSIX, "pseudo-terminals")
    def test_colour_on_a_terminal_and_not_with_no_color(self):
        import pty
        for environment, painted in (({}, True), ({"NO_COLOR": "1"}, False)):
            with self.subTest(environment=environment):
                parent, child = pty.openpty()
                clean = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
                command = [sys.executable, PROGRAM, "audit", "--format", "text", fixture("hedged")]
                subprocess.run(command, stdout=child, env={**clean, **environment}, timeout=30)
                os.close(child)
                out = os.read(parent, 65536)
                os.close(parent)
                self.assertEqual(b"\x1b[" in out, painted)


# -------------------------------------------------------------------------------------- render: html

PageTurn = namedtuple("PageTurn", "index speaker label text")

HOSTILE = ("<script>alert(1)</script><style>*{}</style></p></li></article> &lt; \"a\" 'b' onclick=x {home} %s"
           " \u202eevil\u202c \u2066x\u2069 \u200e\u200f\u061c \x00\x07\x1b[31m\x7f\x9b \ud800 <!-- ]]> ")


class PageReader(HTMLParser):
    """What the tests ask of a page: its tags in order, ids, links, headings, text; and that its tags nest."""

    VOID = {"meta", "input"}

    def __init__(self, markup):
        super().__init__()
        self.tags, self.ids, self.links, self.labels = [], [], [], []
        self.headings, self.texts, self.open = [], [], []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs["href"]] if "href" in attrs else []
        self.labels += [attrs["aria-labelledby"]] if "aria-labelledby" in attrs else []
        self.headings += [int(tag[1])] if re.fullmatch("h[1-6]", tag) else []
        self.open += [] if tag in self.VOID else [tag]

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> inside {self.open}"
        self.open.pop()

    def handle_data(self, data):
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self):
        return "".join(self.texts)


def page_claim(text, span, grade="SUPPORTED", turn=None, **more):
    return {"text": text, "kind": "numeric", "value": "4", "grade": grade, "turn_index": turn, "span": span,
            "match": "literal", "quote": None, "words": text[span[0]:span[1]], **more}


def page_card(verdict="FAITHFUL", claims=(), **more):
    grades = [claim["grade"] for claim in claims]
    counts = {grade.lower(): grades.count(grade)
              for grade in ("SUPPORTED", "UNSUPPORTED", "CONTRADICTED", "UNDECIDED")}
    return {"call_id": "call_1", "verdict": verdict, "score": 1.0, "reasoning": "so many claims verified",
            "strict": False, "claims": list(claims), "check_first": [],
            "counts": {"checkable": sum(counts.values()) - counts["undecided"], **counts},
            "coverage_gaps": [], "warnings": [], "disclaimer": "What this card says and does not.", **more}


PAGE_SUMMARY = "They confirmed 4 guests for 7 p.m. and a fee of $45."
PAGE_TURNS = [PageTurn(0, "agent", "BOT", "Hello, still four guests at seven in the evening? " * 3),
         PageTurn(1, "callee", "USER", "Yes, four."),
         PageTurn(4, "callee", "callee", "No, cancel it. It is $50.")]
CARD = page_card("CONTRADICTED_CLAIMS", [
    page_claim(PAGE_SUMMARY, [5, 14], "CONTRADICTED", 1, kind="outcome", value="confirm",
               contradicted_by_turn=4, quote="No, cancel it.", why="In the call it was called off (turn 5)."),
    page_claim(PAGE_SUMMARY, [15, 23], "SUPPORTED", 0, quote="four guests"),
    page_claim(PAGE_SUMMARY, [28, 34], "SUPPORTED", 0, kind="date_time", value="19:00", match="inexact",
               rule="call_date"),
    page_claim(PAGE_SUMMARY, [48, 51], "UNSUPPORTED", value="45", reason="not_said",
               why="The call says 50 (turn 5); $45 is said nowhere.", said_instead=[
                   {"value": "50", "turn_index": 4, "quote": "No, cancel it. It is $50."}])],
    check_first=[{"text": "a fee of $45", "span": [39, 51], "why": "The call says 50.", "turn_index": 4}])
KEY = auditor.name_anchors(CARD, PAGE_SUMMARY, {})[1]
ONE = [(CARD, PAGE_SUMMARY, PAGE_TURNS)]
MANY = [
    (page_card(call_id="good", source="a.json"), PAGE_SUMMARY, PAGE_TURNS),
    ({"source": "b.json", "error": "not JSON at line 3, column 8"}, "", []),
    (page_card(call_id="warned", warnings=["call_not_ended"], coverage_gaps=["opt-out"]),
     PAGE_SUMMARY, PAGE_TURNS),
    (page_card("NO_CHECKABLE_CLAIMS", call_id="none", reason="undecided", check_first=[
        {"text": "a fee of $45", "span": [39, 51], "why": "Unsure.", "turn_index": None}]), PAGE_SUMMARY, []),
    (CARD, PAGE_SUMMARY, PAGE_TURNS),
    (page_card("UNSUPPORTED_CLAIMS", call_id="better", score=.9), PAGE_SUMMARY, PAGE_TURNS),
    (page_card("UNSUPPORTED_CLAIMS", call_id="task", score=.8), PAGE_SUMMARY, PAGE_TURNS,
     [(page_card(call_id="rcp_1"), PAGE_SUMMARY, PAGE_TURNS),
      (page_card("UNSUPPORTED_CLAIMS", call_id="rcp_2"), PAGE_SUMMARY, PAGE_TURNS)])]
EVIL = [
    (page_card("UNSUPPORTED_CLAIMS", [
        page_claim(HOSTILE, [0, 8], "UNSUPPORTED", 0, value=HOSTILE, reason="new_" + HOSTILE, quote=HOSTILE,
                   why=HOSTILE, said_instead=[{"value": HOSTILE, "turn_index": 3, "quote": HOSTILE}],
                   second_opinion={"verdict": HOSTILE, "evidence": HOSTILE}),
        page_claim(HOSTILE, [2, 30], "CONTRADICTED", 0, quote=HOSTILE[:9], contradicted_by_turn=0),
        page_claim(HOSTILE, [2, 30], "SUPPORTED", 1, kind="kind_" + HOSTILE, rule="rule_" + HOSTILE),
        page_claim(HOSTILE, [40, 50], "SUPPORTED", rule="record_field", quote=HOSTILE),
        page_claim(HOSTILE, [60, 70], "UNDECIDED", 77, quote="not there", words=HOSTILE),
        {"text": HOSTILE, "kind": "non_checkable_opinion", "grade": None}],
     call_id=HOSTILE, source=HOSTILE, warnings=[HOSTILE], coverage_gaps=[HOSTILE], reasoning=HOSTILE,
     disclaimer=HOSTILE, combined_verdict=HOSTILE, combined_reasoning=HOSTILE,
     check_first=[{"text": HOSTILE, "span": [0, 35], "why": HOSTILE, "turn_index": 0}],
     fields=[page_claim(HOSTILE, [0, 9], "UNSUPPORTED", 3, path=HOSTILE, value=HOSTILE)]),
     HOSTILE, [PageTurn(0, "agent", HOSTILE, HOSTILE * 3), PageTurn(3, "callee", None, HOSTILE),
               PageTurn(1, "other", "", "")]),
    ({"source": HOSTILE, "error": HOSTILE}, "", [])]
PAGES = {"one": ONE, "many": MANY, "evil": EVIL, "one evil": EVIL[:1], "none": [], "error": MANY[1:2],
         "task": MANY[6:], "the same call thrice": ONE * 3}
CARD_IN_FULL = {
    "call_id": "call_saws", "verdict": "UNSUPPORTED_CLAIMS", "score": .5, "label": "pass", "strict": False,
    "claims": [
        {"text": "It went well.", "words": "It went well.", "kind": "non_checkable_opinion", "value": None,
         "grade": None, "turn_index": None},
        {"text": "They need 5 axes.", "words": "5 axes", "kind": "numeric", "value": "5",
         "grade": "UNSUPPORTED", "turn_index": 2, "speaker": "callee", "quote": "Six axes, please.",
         "reason": "not_said",
         "why": "The call says 6 (turn 3); 5 axes is said nowhere.",
         "said_instead": [{"value": "6", "turn_index": 2, "quote": "Six axes, please."}],
         "second_opinion": {"verdict": "unsupported", "evidence": "Six axes, please."}},
        {"text": "They have a shed.", "words": "a shed", "kind": "name", "value": "Shed Co",
         "grade": "UNDECIDED", "turn_index": None, "why": "Not ruled out either.", "said_instead": []}],
    "fields": [{"path": "order.saws", "words": "4", "kind": "numeric", "value": "4", "grade": "SUPPORTED",
                "turn_index": 1, "rule": "loose_reading"}],
    "check_first": [
        {"text": "They need 5 axes", "turn_index": 2,
         "why": "The call says 6 (turn 3); 5 axes is said nowhere."},
        {"text": "for the shed", "why": "Few of its words are said in the call.", "turn_index": 0}],
    "counts": {"checkable": 2, "supported": 1, "unsupported": 1, "contradicted": 0, "undecided": 1},
    "coverage_gaps": ["outcome"], "warnings": ["call_not_ended"],
    "combined_verdict": "UNSUPPORTED_CLAIMS", "combined_reasoning": "1 of 2 claims verified"}


def markup(entries):
    return "".join(auditor.render_html(entries))


def contrast(one, other):
    """The contrast ratio of two colours (#rgb or #rrggbb), as WCAG reckons it."""
    def light(colour):
        digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
        parts = [int(digits[at:at + 2], 16) / 255 for at in (0, 2, 4)]
        red, green, blue = [part / 12.92 if part <= .04045 else ((part + .055) / 1.055) ** 2.4
                            for part in parts]
        return .2126 * red + .7152 * green + .0722 * blue
    dark, bright = sorted((light(one), light(other)))
    return (bright + .05) / (dark + .05)


class RenderPage(unittest.TestCase):
    """--format html: one file that shows what was judged, and nothing that a record could make of it."""

    def test_tags_nest_ids_are_unique_and_links_resolve(self):
        for name, entries in PAGES.items():
            with self.subTest(name):
                reader = PageReader(markup(entries))
                self.assertEqual(reader.open, [])
                self.assertEqual(len(reader.ids), len(set(reader.ids)))
                for link in reader.links:
                    self.assertEqual(link[0], "#")
                    self.assertIn(link[1:], reader.ids)
                for label in reader.labels:
                    self.assertIn(label, reader.ids)

    def test_claim_leads_to_turn_and_back(self):
        page = markup(ONE)
        for number, to in ((1, "c1"), (2, "t1"), (4, "c4")):        # flagged: to why; found: to the turn
            self.assertIn(f'id="{KEY}.m{number}" href="#{KEY}.{to}"', page)
        self.assertRegex(page, rf'<li class="callee" id="{KEY}.t5">')
        self.assertRegex(page, rf'href="#{KEY}.m2">four guests<')                # and back to its words
        self.assertRegex(page, rf'id="{KEY}.c1"><p><a href="#{KEY}.m1">')

    def test_unverified_claims_come_first_with_their_reason(self):
        reader = PageReader(markup(ONE))
        ids = [one.partition(".c")[2] for one in reader.ids if re.search(r"\.c\d", one)]
        self.assertEqual(ids, ["1", "4", "3"])              # 2 has no more to say than that it was said
        for words in ("In the call it was called off (turn 5).", "Contradicted in turn 5, callee:",
                      "The call says 50 (turn 5); $45 is said nowhere.", "Said instead: 50, turn 5, callee:",
                      "7 p.m. date or time 19:00\nworked out from the date of the call",
                      "✓ was said"):
            self.assertIn(words, reader.text)

    def test_the_words_themselves_are_marked_in_the_evidence(self):
        page = markup(ONE)
        for words in (">four guests<sup>2</sup></a> at", ">No, cancel it.<", ">50<span",
                      "<q>No, cancel it. It is $<mark>50</mark>.</q>"):
            self.assertIn(words, page)

    def test_words_in_the_evidence(self):
        for text, value, words, found in (
                ("Yes, two thirty suits.", "14:30", "2:30 p.m.", "two thirty"),
                ("That is fifty dollars, sir.", "50", "$50", "fifty dollars"),
                ("It's Whitcomb Street.", "Whitcomb", "Whitcomb", "Whitcomb"),
                ("I booked it for you.", "book", "booked", "booked"),
                ("In each of the last six months.", "0.5", "half year", "six months"),
                ("It was 45 in all of the months.", "65", "$65 a month", None),
                ("Nothing of it.", "50", "$50", None)):
            spans = auditor.find_words(text, {"value": value, "words": words})
            self.assertEqual([text[slice(*span)] for span in spans][:1], [found] if found else [])

    def test_what_was_said_instead_is_marked_in_its_turn(self):
        self.assertIn(f'$<a class="instead" href="#{KEY}.m4">50<', markup(ONE))
        self.assertIn("(claim 4, said instead)", PageReader(markup(ONE)).text)

    def test_check_first_heads_the_card(self):
        text = PageReader(markup(ONE)).text
        places = [text.index(words) for words in (
            "before anything acts", "Check first", "a fee of $45", "The call says 50.",
            "Said instead: 50, turn 5", "Summary", "Claims\n", "Conversation")]
        self.assertEqual(places, sorted(places))

    def test_a_stretch_to_check_shows_what_its_flagged_claims_have_or_else_the_nearest_turn(self):
        def first(span, why, **more):
            stretch = {"text": "x", "span": span, "why": why, "turn_index": 1, **more}
            text = PageReader(markup([({**CARD, "check_first": [stretch]}, PAGE_SUMMARY, PAGE_TURNS)])).text
            return text[text.index("Check first"):text.index("Summary\n")]
        self.assertIn("4 guests for 7 p.m. Unsure. See turn 2, callee: Yes, four.",
                      " ".join(first([15, 34], "Unsure.").split()))
        asked = " ".join(first([15, 34], "Unsure.", turn_index=0).split())          # with its answer
        self.assertRegex(asked, "See turn 1, agent: Hello, still four guests .* callee: Yes, four.$")
        whole = " ".join(first([0, 51], "In the call it was called off (turn 5); it is firm.").split())
        self.assertIn("it is firm. The call says 50 (turn 5); $45 is said nowhere. Contradicted in turn 5",
                      whole)
        self.assertEqual(whole.count("called off"), 1)
        self.assertIn("Said instead: 50, turn 5", whole)
        self.assertNotIn("See turn", whole)

    def test_grade_is_told_by_sign_and_word_too(self):
        text = PageReader(markup(ONE)).text
        for words in ("confirmed✗\xa01 (claim 1, contradicted)", "$45?\xa04 (claim 4, unsupported)"):
            self.assertIn(words, text)
        signs = dict(re.findall(r'^\.(\w+)\b[^\n]*--sign: "(.*?) ?"', auditor.PAGE_STYLE, re.M))
        grades, looks = auditor.GRADE_WORDS, auditor.LOOKS
        marks = [*grades.values(), looks["instead"], {**looks["SUPPORTED inexact"], "tone": "near"}]
        for words in marks:                                                     # those of the small marks
            if words["tone"] in signs and words is not grades["UNDECIDED"]:
                self.assertEqual(signs[words["tone"]].lstrip("\\"), format(ord(words["sign"]), "x")
                                 if words["sign"] != "?" else "?")

    def test_what_is_borne_out_inexactly_has_a_sign_of_its_own(self):
        page = markup(ONE)
        self.assertIn(f'<a class="near" id="{KEY}.m3" href="#{KEY}.t1">7 p.m.<', page)      # in the summary
        self.assertIn(f'<a class="near" href="#{KEY}.m3">seven in the evening<', page)      # and in its turn
        self.assertIn(f'<a id="{KEY}.m2" ', page)                                           # ✓ has no class
        self.assertIn("≈\xa03\n7 p.m.", PageReader(page).text)

    def test_an_undecided_outcome_is_amber_and_stands_before_what_else_is_undecided(self):
        told = [page_claim(PAGE_SUMMARY, span, grade, 1, kind=kind, quote="Yes, four.") for span, grade, kind in (
            ([15, 23], "UNDECIDED", "numeric"), ([5, 14], "UNDECIDED", "outcome"),
            ([28, 34], "SUPPORTED", "numeric"))]
        for claim in told[:2]:
            del claim["match"]                                          # which an undecided claim has not
        first = [{"text": "a fee of $45", "span": [39, 51], "why": "Unsure.", "turn_index": 4}]
        pages = {count: markup([(page_card(claims=told[-count:], check_first=first), PAGE_SUMMARY, PAGE_TURNS)])
                 for count in (1, 2, 3)}
        heads = {1: ("supported", "✓", "Errors may stand under “Check first”."),
                 2: ("open", "!", "Undecided: the outcome “confirmed” (claims in all: 1). Errors may stand"),
                 3: ("open", "!", "Undecided: the outcome “confirmed” (claims in all: 2). Errors may stand")}
        for count, (tone, sign, todo) in heads.items():
            self.assertRegex(pages[count], f'<article class="card {tone} of-supported"')
            self.assertIn(f"{sign}\n\nFaithful: nothing was flagged\n{todo}", PageReader(pages[count]).text)
        self.assertEqual(re.findall(r'<li class="claim loud (\w+)"', pages[3]), ["open", "unchecked"])
        self.assertIn(f'<a class="open" id="{KEY}.m2"', pages[3])
        plain = page_card(claims=[told[0], told[2]], check_first=first)
        text = PageReader(markup([(plain, PAGE_SUMMARY, PAGE_TURNS)])).text
        self.assertIn("✓\n\nFaithful: nothing was flagged\nUndecided claims: 1. Errors may stand", text)

    def test_a_mark_cuts_no_word(self):
        def shown(summary, *spans):
            card = page_card(claims=[page_claim(summary, list(span)) for span in spans])
            text = PageReader(markup([(card, summary, [])])).text
            return re.search("Summary\n(.*)\n", text).group(1)
        for summary, spans, wanted in (
                ("Off flying.", [(4, 5), (4, 6), (6, 8)], "Off flying123."),
                ("Ann's 4th car", [(0, 3), (6, 7)], "Ann's1 4th2 car"),
                ("**Friday** at **4**, **5", [(2, 8), (16, 17), (23, 24)], "**Friday**1 at **4**2, **53"),
                ("预约4人，5点", [(2, 3), (5, 6)], "预约41人，52点")):
            with self.subTest(summary):
                self.assertEqual(shown(summary, *spans), wanted)

    MARKS = re.compile(r'<span class="(?:tag|unseen)".*?</span>|<sup>.*?</sup>|<[^>]*>')

    def test_summary_and_turns_are_shown_whole(self):
        text = self.MARKS.sub("", markup(ONE))
        for shown in [PAGE_SUMMARY] + [turn.text for turn in PAGE_TURNS]:
            self.assertIn(shown, text)

    def test_overlapping_claims_lose_no_words_and_no_number(self):
        for spans in ([[0, 4], [0, 4]], [[0, 9], [2, 4]], [[0, 5], [3, 9]], [[0, 9], [2, 4], [3, 8], [9, 12]],
                      [[3, 9], [0, 5]], [[0, 52]], [[51, 52], [0, 1]]):
            with self.subTest(spans):
                card = page_card(claims=[page_claim(PAGE_SUMMARY, span) for span in spans])
                shown = markup([(card, PAGE_SUMMARY, [])])
                self.assertEqual(PageReader(shown).open, [])
                self.assertIn(PAGE_SUMMARY, self.MARKS.sub("", shown))
                for number in range(1, len(spans) + 1):
                    self.assertIn(f"{KEY}.m{number}", PageReader(shown).ids)

    def test_fields_are_a_table_under_the_summary(self):
        field = page_claim("7 p.m.", [0, 6], "UNSUPPORTED", 4, path="booking.time", value="19:00",
                           kind="date_time", why="19:00 was turned down (turn 5).",
                           quote="No, cancel it. It is $50.")
        page = markup([({**CARD, "fields": [field]}, PAGE_SUMMARY, PAGE_TURNS)])
        reader = PageReader(page)
        self.assertEqual(reader.open, [])
        places = [reader.text.index(words) for words in (
            "Summary", "Fields", "booking.time", "19:00 was turned down", "Claims\n")]
        self.assertEqual(places, sorted(places))
        self.assertIn(f'id="{KEY}.c5"', page)
        flagged, _ = self.index([({**CARD, "fields": [field]}, PAGE_SUMMARY, PAGE_TURNS), *MANY])
        self.assertIn("booking.time: 19:00 19:00 was turned down (turn 5).", flagged)

    def test_a_second_opinion_stands_beside_the_rules_grade(self):
        claim = {**CARD["claims"][3], "second_opinion": {"verdict": "supported", "evidence": "It is $50."}}
        card = {**CARD, "claims": [claim],
                "combined_verdict": "FAITHFUL", "combined_reasoning": "one flag fell"}
        text = PageReader(markup([(card, PAGE_SUMMARY, PAGE_TURNS)])).text
        for words in ("(claim 1, unsupported)", "Second opinion: supported It is $50.",
                      "With the second opinion: FAITHFUL one flag fell",
                      "Contradicted: the call says otherwise"):
            self.assertIn(words, text)

    def test_a_long_conversation_is_folded_around_its_evidence(self):
        def page(count):
            turns_ = [PageTurn(n, "agent", None, "So we talk.") for n in range(count)]
            turns_[50] = PageTurn(50, "callee", None, "No, cancel it. It is $50.")
            card = page_card("UNSUPPORTED_CLAIMS", [{**CARD["claims"][3], "said_instead": [
                {"value": "50", "turn_index": 50, "quote": "No, cancel it. It is $50."}]}])
            return markup([(card, PAGE_SUMMARY, turns_)])
        self.assertNotIn("<details>", page(200))
        reader = PageReader(page(201))
        self.assertEqual(reader.open, [])
        folds = re.findall(r"Turns (\d+) to (\d+)", reader.text)
        self.assertEqual(folds, [("1", "47"), ("55", "201")])
        self.assertEqual(reader.text.count("So we talk."), 200)                 # folded, not left out

    def test_hostile_record_stays_text(self):
        field = page_claim(PAGE_SUMMARY, [0, 4], path="time")
        plain = PageReader(markup(ONE + MANY + [(page_card(fields=[field]), PAGE_SUMMARY, PAGE_TURNS)]))
        reader = PageReader(markup(EVIL))
        self.assertLessEqual({tag for tag, _ in reader.tags}, {tag for tag, _ in plain.tags})
        self.assertEqual([tag for tag, _ in reader.tags].count("style"), 1)
        self.assertIn("<script>alert(1)</script>", reader.text)
        self.assertNotRegex(markup(EVIL), auditor.UNSHOWABLE)
        self.assertGreater(reader.text.count("\ufffd"), 20)
        for attribute in {name for _, attrs in reader.tags for name in attrs}:
            self.assertFalse(attribute.startswith("on") or attribute in ("src", "style", "action"), attribute)
        markup(EVIL).encode("utf-8")

    def test_page_refers_to_nothing_outside(self):
        for name, entries in PAGES.items():
            with self.subTest(name):
                page = markup(entries)
                self.assertIn("content=\"default-src 'none'; style-src 'sha256-", page)
                self.assertNotRegex(page, r"https?:|url\(|@import|<script|<link|<img|<iframe|\bstyle=")

    def test_policy_admits_this_style(self):
        import base64
        import hashlib
        page = markup(ONE)
        style = re.search("<style>(.*)</style>", page, re.DOTALL).group(1)
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        self.assertIn(f"'sha256-{digest}'", page)

    def test_headings_keep_order_and_landmarks_have_names(self):
        for name, entries in PAGES.items():
            with self.subTest(name):
                reader = PageReader(markup(entries))
                self.assertEqual(reader.headings[0], 1)
                self.assertEqual(reader.headings.count(1), 1)
                for above, below in zip(reader.headings, reader.headings[1:]):
                    self.assertLessEqual(below, above + 1)
                self.assertEqual(reader.tags[0], ("html", {"lang": "en"}))
                self.assertEqual([tag for tag, _ in reader.tags].count("main"), 1)
                viewport = {"name": "viewport", "content": "width=device-width, initial-scale=1"}
                self.assertIn(("meta", viewport), reader.tags)
                for tag, attrs in reader.tags:
                    if tag in ("nav", "section", "article"):
                        self.assertTrue(attrs.get("aria-label") or attrs.get("aria-labelledby"), (tag, attrs))
                    if tag == "svg":
                        self.assertEqual(attrs["aria-hidden"], "true")
                    self.assertLessEqual(int(attrs.get("tabindex", 0)), 0)

    def index(self, entries):
        """The text of a page's index, and its rows as (anchor of the call, classes)."""
        page = markup(entries)
        head = page.partition("\n<article")[0].partition("</main>")[0]
        return PageReader(head + "</main></body></html>").text, re.findall(
            r'<li class="row ([^"]*)" id="[^"]*">.*?<a href="#(call-[^"]*)"', head, re.S)

    def test_many_calls_stand_in_an_index_worst_first_then_by_score(self):
        text, rows = self.index(MANY)
        self.assertEqual([to for _, to in rows], [
            "call-call_1", "call-task", "call-task.r1", "call-task.r2", "call-better", "call-none",
            "call-warned", "call-good"])
        self.assertIn("Calls audited: 6", text)

    def test_a_row_shows_the_flagged_words_with_their_reason_warnings_and_gaps(self):
        text, _ = self.index(MANY)
        for words in ("…p.m. and a fee of $45. The call says 50 (turn 5); $45 is said nowhere.",
                      "Said instead: 50, turn 5, callee: No, cancel it. It is $50.", "2 of 4 verified",
                      "They confirmed 4 guests for 7 p.m.… In the call it was called off (turn 5).",
                      "Note: The call had not ended", "Note: The callee wants no more calls",
                      "Check first: a fee of $45\n"):
            self.assertIn(words, text)

    def test_a_row_shows_the_first_stretch_to_check_that_no_flag_shows(self):
        fee, party = CARD["check_first"][0], {"text": "4 guests", "span": [15, 23], "why": "?", "turn_index": 0}
        for card, wanted in (({**CARD, "check_first": [fee]}, []),
                             ({**CARD, "check_first": [fee, party]}, ["4 guests"]),
                             (page_card(check_first=[fee, party]), ["a fee of $45"]), (page_card(), [])):
            text, _ = self.index([(card, PAGE_SUMMARY, PAGE_TURNS), *MANY[:1]])
            self.assertEqual(re.findall("Check first: (.*)", text), wanted)
            for words in wanted:                                                # what is flagged comes first
                self.assertGreater(text.index("Check first"), text.rfind("$45 is said nowhere."))

    def test_evidence_is_shown_in_its_turn(self):
        said = "Well, " * 40 + "hold on. " + "Then " * 40
        claim = {**CARD["claims"][0], "quote": "hold on.", "contradicted_by_turn": 0, "turn_index": 0}
        turns_ = [PageTurn(0, "callee", "USER", said), PageTurn(1, "agent", "BOT", "As you like.")]
        stretch = {"text": "confirmed", "span": [5, 14], "why": "Unsure.", "turn_index": 0}
        card = page_card("CONTRADICTED_CLAIMS", [claim], check_first=[stretch])
        text = PageReader(markup([(card, PAGE_SUMMARY, turns_)])).text
        quote = re.search("turn 1, callee: (.*?) agent: As you like.", text).group(1)
        self.assertEqual((len(quote), quote[0], quote[-1]), (160, "…", "…"))
        self.assertIn("Well, hold on. Then", quote)

    def test_counts_agree_and_every_filter_finds_its_rows(self):
        text, rows = self.index(MANY)
        filters = re.findall(r'id="only-(\w+)".*?<b>(\d+)</b>', markup(MANY), re.S)
        self.assertEqual(dict(filters), {"all": "6", "flagged": "3", "contradicted": "1", "unsupported": "2",
                                         "unchecked": "1", "supported": "2", "unread": "1"})
        outer = [classes.split(" of-")[1] for classes, to in rows if ".r" not in to]
        for tone, count in filters:
            if tone not in ("all", "flagged", "unread"):
                self.assertEqual(outer.count(tone), int(count))
            if tone != "all":
                self.assertIn(f"#only-{tone}:checked", auditor.PAGE_STYLE)
        self.assertEqual(markup(MANY).count('class="card '), len(rows))

    def test_what_could_not_be_read_is_a_group_of_its_own(self):
        for entries in (MANY, MANY[1:2]):
            text, rows = self.index(entries)
            self.assertIn("Could not be read: 1", text)
            self.assertLess(text.index("Could not be read: 1"), text.index("b.json"))
            self.assertIn("not JSON at line 3, column 8", text)
        self.assertEqual(rows, [])
        path = "/home/maple/b.json"
        text, _ = self.index([({"source": path, "error": f"no such file in {path}"}, "", [])])
        self.assertIn("b.json no such file in b.json", text)
        self.assertNotIn("maple", text)

    def test_several_recipients_name_and_link_the_one_that_decides(self):
        page = markup(MANY[6:])
        named = 'Decided by</b> <a href="#call-task.r2">Recipient 2 of 2: rcp_2</a>'
        self.assertEqual(page.count(named), 2)                      # in the index and on the task's own card
        flagged = page_card("UNSUPPORTED_CLAIMS", [CARD["claims"][3]], call_id="task")
        self.assertNotIn("Decided by", markup([(flagged, *MANY[6][1:])]))       # its own summary decides

    def test_anchors_are_made_of_the_call_id(self):
        ids = PageReader(markup(MANY)).ids
        self.assertIn("call-good", ids)
        self.assertEqual(sorted(ids), sorted(PageReader(markup(MANY[::-1])).ids))       # not of the rank
        thrice = [one for one in PageReader(markup(ONE * 3)).ids if one.startswith("call-")]
        self.assertEqual(thrice, ["call-call_1", "call-call_1.2", "call-call_1.3"])
        for odd in ("a b/c", "ü", "x" * 200, HOSTILE):
            home, key = auditor.name_anchors({"call_id": odd}, "", {})
            self.assertRegex(home + key, r"^[A-Za-z0-9_.-]{1,90}$")
        self.assertNotEqual(*(auditor.name_anchors({"call_id": odd}, "", {}) for odd in ("a/b", "a b")))

    def test_a_link_never_carries_a_path(self):
        card = page_card(call_id=None, source="/home/maple/calls/a.json")
        page = markup([(card, PAGE_SUMMARY, PAGE_TURNS), *ONE])
        for link in PageReader(page).links:
            self.assertNotRegex(link, "home|maple|json")
        self.assertIn(">a.json</a>", page)
        self.assertNotIn("maple", page)

    def test_what_to_do_agrees_with_the_gate(self):
        good, warned = PageReader(markup(MANY[:1])).text, PageReader(markup(MANY[2:3])).text
        self.assertIn("Errors may stand", good)
        self.assertNotIn("Errors may stand", warned)
        self.assertIn("Wait: The callee wants no more calls, and the summary does not say so. "
                      "The call had not ended when this was recorded.", warned)
        self.assertNotIn("Note:", warned)                           # it has just been said
        page = markup(MANY)                                         # a pass in its colour, a hold in another
        for classes, sign in (("supported", "✓"), ("unsupported", "!")):
            self.assertRegex(page, f'<li class="row {classes} of-supported" id="[^"]*"><span[^>]*>{sign}<')

    def test_previous_next_and_index_lead_on(self):
        links = re.findall(r'<nav class="walk" aria-label="Calls">(.*?)<span', markup(MANY), re.S)
        self.assertEqual([re.findall(">(.*?)</a>", one) for one in links[:2] + links[-1:]], [
            ["All calls", "Next ›"], ["All calls", "‹ Previous", "Next ›"], ["All calls", "‹ Previous"]])
        self.assertIn(f'href="#{KEY}.row"', links[0])               # back to its row, not to the list's top
        self.assertNotIn("All calls", markup(ONE))

    def test_a_thousand_calls_stay_small(self):
        # 15 claims and 22 turns a call are what natural calls have
        said = "It's four guests, not that, at {} o'clock then."
        turns_ = [PageTurn(n, ("agent", "callee")[n % 2], None, said.format(n)) for n in range(22)]
        told = [page_claim(PAGE_SUMMARY, [n * 3, n * 3 + 3], "SUPPORTED", n, quote=turns_[n].text)
                for n in range(15)]
        first = [{"text": "a fee", "span": [39, 51], "why": "Few of its words are said.", "turn_index": n}
                 for n in range(3)]
        pages = [(page_card(call_id=f"call_{n:03d}", claims=told, check_first=first), PAGE_SUMMARY, turns_)
                 for n in range(50)]
        page = markup(pages).encode("ascii", "xmlcharrefreplace")
        self.assertLess((len(page) - len(auditor.PAGE_STYLE)) / 50, 9_500)

    def test_page_is_small(self):
        text = len(PAGE_SUMMARY) + sum(len(turn.text) for turn in PAGE_TURNS)
        self.assertLess(len(markup(ONE).encode()), 40_000 + text)

    def test_same_bytes_each_time_and_entries_untouched(self):
        before = repr(MANY)
        self.assertEqual(markup(MANY), markup(MANY))
        self.assertEqual(before, repr(MANY))

    def test_template_itself_holds_no_long_number(self):
        page = re.sub("'sha256-[^']*'", "", markup([(page_card(), "", [])]))
        self.assertNotRegex(page, r"\d(?:[ .,/()+-]{0,2}\d){6}")
        self.assertNotRegex(markup(MANY), r"\d{7}")

    def test_colours_contrast_in_light_and_dark(self):
        palettes = [dict(re.findall(r"--([\w-]+): (#\w+)", block)) for block in
                    re.findall(r":root \{[^}]*\}", auditor.PAGE_STYLE)]
        self.assertEqual(len(palettes), 2)
        tones = ("bad", "doubt", "fine", "none")
        pairs = [(ink, paper) for ink in ("text", "soft") for paper in ("page", "card", "agent")]
        pairs += [("link", "page"), ("link", "card")]
        for tone in tones:
            pairs += [(tone, "card"), (tone, tone + "-back"), (tone, "agent")]
            pairs += [("text", tone + "-back"), ("soft", tone + "-back")]
        for palette in palettes:
            for ink, paper in pairs:
                with self.subTest(ink=ink, paper=paper):
                    self.assertGreaterEqual(round(contrast(palette[ink], palette[paper]), 2), 4.5)


# --------------------------------------------------------------------------------------------- craft

ROUND_TRIPS = [                 # task, facts, outcome word; the call held on them; its summary; a false twin
    ("Confirm the pottery lesson", "two students; Saturday May 9; 10 a.m.", "CONFIRMED",
     "A: Two students on Saturday, May 9 at 10 a.m., is that right? / C: Yes, confirmed.",
     "CONFIRMED: two students for the pottery lesson on Saturday, May 9 at ten in the morning.",
     "CONFIRMED: three students for the pottery lesson on Saturday, May 9 at ten in the morning."),
    ("Order seed potatoes", "eight bags; pick-up on Friday", "ORDERED",
     "A: Eight bags of seed potatoes for Friday, please. / C: Eight bags are ordered. That's forty dollars.",
     "Eight bags of seed potatoes were ORDERED for Friday, for forty dollars.",
     "Eight bags of seed potatoes were ORDERED for Friday, for fifty dollars."),
    ("Cancel the dinghy rental", "Sunday; 3 p.m.", "CANCELLED",
     "A: Please cancel the dinghy on Sunday at 3 p.m. / C: I have cancelled it. We will email a receipt.",
     "The dinghy on Sunday at three in the afternoon was CANCELLED. A receipt will be emailed.",
     "The dinghy on Sunday at three in the afternoon was CANCELLED. A voucher will be emailed."),
    ("Ask for a loft visit", "Monday", None,
     "C: This is the mailbox of Sol Roofers. Leave a message after the tone. / "
     "A: Please ring us about the loft on Monday.",
     "The call went to voicemail; a message about Monday was left.",
     "The loft visit was confirmed for Monday."),
]
CRAFT_ERRORS = [
    ("", "a fact", None), (" \n", "a fact", None), ("a task", "", None), ("a task", "\t", None),
    ("a task", "a fact", ""), ("a task", "a fact", "two words"), ("a task", "a fact", "a\nb"),
]


class Craft(unittest.TestCase):
    """The goal of the next call, and that a summary written to it is faithful."""

    def test_goal_holds_task_facts_and_discipline(self):
        goal = auditor.craft_template("Confirm the visit", "party of 4; Wednesday\n2 p.m.", "CONFIRMED")
        for words in ("Confirm the visit", "party of 4", "Wednesday", "2 p.m.", "SUMMARY DISCIPLINE",
                      "CONFIRMED",
                      "exactly once", "four", "4-5"):
            self.assertIn(words, goal)
        self.assertEqual(goal.count("CONFIRMED"), 1)
        self.assertTrue(goal.endswith("\n"))

    def test_goal_without_an_outcome_word(self):
        self.assertIn("outcome word exactly once", auditor.craft_template("a task", "a fact"))

    def test_braces_and_percents_stay(self):
        goal = auditor.craft_template("Sell {task} 100%s", "{facts}; {0}", None)
        for words in ("Sell {task} 100%s", "{facts}", "{0}"):
            self.assertIn(words, goal)

    def test_errors(self):
        for task, facts, token in CRAFT_ERRORS:
            with self.subTest(task=task, facts=facts, token=token):
                with self.assertRaises(ValueError):
                    auditor.craft_template(task, facts, token)
                more = [] if token is None else ["--outcome-token", token]
                code, out, err = run("craft", "--task", task, "--facts", facts, *more)
                self.assertEqual((code, out), (2, ""))
                self.assertRegex(err, r"\Aerror: [^\n]+\n\Z")

    def test_command(self):
        args = ["craft", "--task", "Confirm the visit", "--facts", "party of 4; 2 p.m.", "--outcome-token",
                "CONFIRMED"]
        code, out, err = run(*args)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, auditor.craft_template("Confirm the visit", "party of 4; 2 p.m.", "CONFIRMED"))
        code, text, err = run(*args, "--json")
        self.assertEqual((code, json.loads(text), err), (0, {"goal": out}, ""))

    def test_phone_numbers_are_masked_with_a_warning(self):
        for facts in ("ring +1 555-0142", "ring five five five, oh one four two"):
            with self.subTest(facts=facts):
                code, out, err = run("craft", "--task", "Ring the farm", "--facts", facts)
                self.assertEqual(code, 0)
                self.assertNotRegex(out + err, "0142|five five")
                self.assertRegex(err, r"\Awarning: [^\n]+\n\Z")

    def test_round_trip(self):
        for task, facts, token, said, summary, false in ROUND_TRIPS:
            with self.subTest(summary=summary):
                self.assertIn(task, auditor.craft_template(task, facts, token))
                if token:
                    self.assertEqual(summary.count(token), 1)
                self.assertEqual(audit(summary, said)["verdict"], "FAITHFUL")
                self.assertNotEqual(audit(false, said)["verdict"], "FAITHFUL")


# -------------------------------------------------------------------------------------- command line

HONEST = record("Four saws are ready.", "A: How many saws? / C: Four saws are ready.")
FALSE = record("Five saws are ready.", "A: How many saws? / C: Four saws are ready.")
OPINION = record("A pleasant talk.", "A: How many saws? / C: Four saws are ready.")
USAGE = [                       # arguments, what the one line on standard error says
    ([], "required"), (["audit", "--format", "xml", "x.json"], "invalid choice"),
    (["audit", "--jobs", "0"], "--jobs"),
    (["audit", "--jobs", "-1"], "--jobs"), (["audit", "--jobs", "two"], "--jobs"),
    (["audit", "--no-such"], "--no-such"),
    (["audit", "--call-date", "14.10.2026"], "--call-date"),
    (["audit", "--call-date", "2026-02-30"], "--call-date"),
    (["nonsense"], "invalid choice"), (["craft", "--task", "x"], "--facts"), (["analyze"], "--call-result"),
    (["audit", "--jsonl", "--format", "text", "x.jsonl"], "--jsonl"),
    (["audit", "--format", "html", "x.jsonl"], "--jsonl"),
    (["audit", "--output", "", "x.json"], "--output"),
]


class CommandLine(Files):
    """Inputs, outputs, exit codes."""

    def setUp(self):
        super().setUp()
        self.honest, self.false = self.write("honest.json", HONEST), self.write("false.json", FALSE)
        self.opinion = self.write("opinion.json", OPINION)
        self.lines = self.write("calls.jsonl", "\n".join(
            [json.dumps(HONEST), "", '{"post_summary": 5}', "  ", json.dumps(FALSE), "{", "[]"]))

    def test_one_path_prints_one_indented_card(self):
        code, out, err = run("audit", self.honest)
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(out.startswith('{\n  "call_id": "call_test",\n  "verdict": "FAITHFUL",\n'))
        self.assertTrue(out.endswith("}\n"))
        self.assertNotIn("source", json.loads(out))

    def test_standard_input(self):
        wanted = run("audit", self.honest)
        content = self.read(self.honest)
        for args in (["audit"], ["audit", "-"], ["analyze", "--call-result", "-"]):
            with self.subTest(args):
                self.assertEqual(run(*args, stdin=content), wanted)
        code, out, _ = run("audit", "--jsonl", "-", stdin=self.read(self.lines))
        self.assertEqual((code, len(out.splitlines())), (2, 5))

    def test_analyze_is_audit(self):
        self.assertEqual(run("analyze", "--call-result", self.false), run("audit", self.false))
        code, out, _ = run("analyze", "--call-result", self.false, "--exit-code", "--format", "text")
        self.assertEqual((code, out), run("audit", self.false, "--exit-code", "--format", "text")[:2])

    def test_several_paths_give_a_line_each(self):
        missing = os.path.join(self.folder, "none.json")
        code, out, err = run("audit", self.honest, missing, self.false)
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual((code, err), (2, ""))
        self.assertEqual([row.get("verdict") for row in rows], ["FAITHFUL", None, "UNSUPPORTED_CLAIMS"])
        self.assertEqual([row["source"] for row in rows], [self.honest, missing, self.false])
        self.assertEqual(list(rows[1]), ["source", "error"])
        self.assertTrue(rows[1]["error"].startswith("no such file"))
        self.assertEqual(list(rows[0])[:3], ["source", "call_id", "verdict"])

    def test_lines(self):
        for args in ([self.lines], ["--jsonl", self.lines]):
            code, out, err = run("audit", *args)
            rows = [json.loads(line) for line in out.splitlines()]
            self.assertEqual((code, err), (2, ""))
            self.assertEqual([row.get("verdict") or row["line"] for row in rows],
                             ["FAITHFUL", 3, "UNSUPPORTED_CLAIMS", 6, 7])
            self.assertEqual(list(rows[1]), ["source", "line", "error"])
            self.assertEqual({row["source"] for row in rows}, {self.lines})

    def test_lines_of_any_line_ending(self):
        content = f"\ufeff{json.dumps(HONEST)}\r\n\r\n{json.dumps(FALSE)}\r\n".encode()
        code, out, _ = run("audit", "--jsonl", "-", stdin=content)
        self.assertEqual((code, [json.loads(line)["verdict"] for line in out.splitlines()]),
                         (0, ["FAITHFUL", "UNSUPPORTED_CLAIMS"]))

    def test_errors_of_lines_are_masked(self):
        wrong = b'{"transcript": [{"speaker": "agent", "text": 5}]}\n{"555-0142": 1}\n'
        code, out, _ = run("audit", "--jsonl", "-", stdin=wrong)
        self.assertEqual(code, 2)
        self.assertNotIn("0142", out)

    def test_exit_codes(self):
        rows = [([self.honest], 0, 0), ([self.false], 0, 1), ([self.opinion], 0, 1),
                ([self.honest, self.honest], 0, 0),
                ([self.honest, self.false], 0, 1), ([self.lines], 2, 2), (["none.json"], 2, 2)]
        for paths, code, gated in rows:
            with self.subTest(paths=paths):
                self.assertEqual(run("audit", *paths)[0], code)
                self.assertEqual(run("audit", "--exit-code", *paths)[0], gated)

    def test_usage_errors(self):
        for args, words in USAGE:
            with self.subTest(args):
                code, out, err = run(*args)
                self.assertEqual((code, out), (2, ""))
                self.assertIn(words, err)
                self.assertNotIn("Traceback", err)

    def test_wrong_input_is_one_line(self):
        rows = [(b"", "not JSON"), (b"[", "not JSON"), (b'{"a": 1}', "neither summary nor transcript"),
                (b"\xff", "bytes that are not"), (b"[" * 100000, "nesting too deep"),
                (b'{"summary": 5}', "a number where text belongs")]
        for content, words in rows:
            with self.subTest(words):
                path = self.write("wrong.json", content)
                for form in ("json", "text", "html"):
                    code, out, err = run("audit", path, "--format", form)
                    self.assertEqual((code, out), (2, ""))
                    self.assertRegex(err, r"\Aerror: [^\n]+ in [^\n]*wrong\.json\n\Z")
                    self.assertIn(words, err)

    def test_strict(self):
        call = self.write("call.json", record("It takes 48 hours.", "C: Two days."))
        self.assertEqual(json.loads(run("audit", call)[1])["verdict"], "FAITHFUL")
        card = json.loads(run("audit", call, "--strict")[1])
        self.assertEqual((card["verdict"], card["strict"]), ("UNSUPPORTED_CLAIMS", True))

    def test_call_date(self):
        call = self.write("call.json", record("The visit is on March 12.", "C: Tomorrow."))
        self.assertEqual(run("audit", call, "--exit-code")[0], 1)
        self.assertEqual(run("audit", call, "--exit-code", "--call-date", "2026-03-11")[0], 0)
        dated = self.write("dated.json", record("The visit is on March 12.", "C: Tomorrow.",
                                                started_at="2026-07-01T12:00:00-05:00"))
        self.assertEqual(run("audit", dated, "--exit-code", "--call-date", "2026-03-11")[0], 1)

    def test_several_texts_and_pages(self):
        code, out, _ = run("audit", "--format", "text", self.honest, "none.json", self.false)
        self.assertEqual(code, 2)
        for words in ("FAITHFUL", "error: no such file in none.json", "UNSUPPORTED_CLAIMS"):
            self.assertIn(words, out)
        code, page, _ = run("audit", "--format", "html", self.honest, "none.json", self.false)
        self.assertEqual((code, page.count("<!doctype html>")), (2, 1))
        self.assertIn("no such file", PageReader(page).text)

    def test_help_and_version(self):
        self.assertEqual(run("--version")[:2], (0, auditor.__version__ + "\n"))
        rows = [([], "audit"), (["audit"], "--exit-code"), (["craft"], "--outcome-token"),
                (["analyze"], "--call-result")]
        for args, words in rows:
            code, out, err = run(*args, "--help")
            self.assertEqual((code, err), (0, ""))
            self.assertIn(words, out)

    def test_output_is_what_standard_output_would_be(self):
        for form in ("json", "text", "html"):
            with self.subTest(form):
                path = os.path.join(self.folder, "out." + form)
                code, out, err = run("audit", self.false, "--format", form, "--output", path)
                self.assertEqual((code, out, err), (0, "", ""))
                wanted = run("audit", self.false, "--format", form)[1]
                self.assertEqual(self.read(path).decode("utf-8"), wanted)

    def test_output_is_written_whole_or_not_at_all(self):
        kept = self.write("kept.json", "what was there before")
        wrong = self.write("wrong.json", "{")
        before = sorted(os.listdir(self.folder))
        self.assertEqual(run("audit", wrong, "--output", kept)[0], 2)
        self.assertEqual(run("audit", wrong, "--output", os.path.join(self.folder, "new.json"))[0], 2)
        with mock.patch.object(auditor, "card_of", side_effect=KeyboardInterrupt):
            self.assertEqual(run("audit", self.honest, "--output", kept)[0], 130)
        self.assertEqual(self.read(kept), b"what was there before")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_output_that_cannot_be_written(self):
        for path in (os.path.join(self.folder, "no", "out.json"), self.folder):
            with self.subTest(path):
                before = sorted(os.listdir(self.folder))
                code, out, err = run("audit", self.honest, "--output", path)
                self.assertEqual((code, out), (2, ""))
                self.assertRegex(err, r"\Aerror: [^\n]+\n\Z")
                self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_an_input_is_never_overwritten(self):
        record = self.read(self.honest)
        code, out, err = run("audit", self.honest, "--output", self.honest)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("--output is one of the inputs", err)
        self.assertEqual(self.read(self.honest), record)


class Process(Files):
    """The command line as a real process."""

    def test_from_any_directory(self):
        code, out, err = spawn("audit", fixture("faithful"), cwd=self.folder)
        self.assertEqual((code, err), (0, b""))
        self.assertEqual(out.decode("ascii"), run("audit", fixture("faithful"))[1])

    def test_same_bytes_everywhere(self):
        lines = os.path.join(FIXTURES, "calls.jsonl")
        wanted = run("audit", lines)[1].encode()
        for environment in ({"PYTHONHASHSEED": "0", "TZ": "Pacific/Auckland"},
                            {"PYTHONHASHSEED": "7", "LC_ALL": "C"},
                            {"PYTHONIOENCODING": "cp1252", "TZ": "America/Adak", "PYTHONUTF8": "0"}):
            with self.subTest(environment=environment):
                self.assertEqual(spawn("audit", lines, **environment)[:2], (2, wanted))

    def test_weighing_gives_the_same_bytes(self):
        # nearness adds up weights: in the order of a set, the last bit is another with every seed
        lines = os.path.join(FIXTURES, "labelled", "harbours.jsonl")
        wanted = spawn("audit", lines, PYTHONHASHSEED="0")
        for seed in "3":
            self.assertTrue(spawn("audit", lines, PYTHONHASHSEED=seed) == wanted, seed)     # no diff of megabytes

    def test_jobs_give_the_same_bytes(self):
        path = self.write("many.jsonl", "".join(
            json.dumps(record(f"{n} saws are ready.",
                              "C: Four saws are ready.")) + "\n" + "{\n\n" * (n % 7 == 0)
            for n in range(300)))
        wanted = spawn("audit", path)
        self.assertEqual(wanted[0], 2)
        for jobs in ("2", "3"):
            self.assertEqual(spawn("audit", path, "--jobs", jobs), wanted)

    def test_narrow_encodings(self):
        path = self.write("call.json", record("The caf\xe9 \u6771 \U0001f600 has 4 lamps.",
                                              "C: Four lamps \u2014 caf\xe9 \u6771 \U0001f600."))
        narrow = [{"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
                  {"PYTHONIOENCODING": "cp1252"}]
        for environment, form in itertools.product(narrow, ("text", "json", "html")):
            with self.subTest(environment=environment, form=form):
                code, out, err = spawn("audit", path, "--format", form, **environment)
                self.assertEqual((code, err), (0, b""))
                self.assertIn(b"4 lamps", out)
        code, out, err = spawn("craft", "--task", "Ring the caf\xe9 \u6771", "--facts", "4 lamps",
                               PYTHONIOENCODING="cp1252")
        self.assertEqual((code, err), (0, b""))
        code, out, err = spawn("audit", "caf\xe9\u6771.json", PYTHONIOENCODING="ascii")
        self.assertEqual((code, out), (2, b""))
        self.assertEqual(err.count(b"\n"), 1)

    def test_a_closed_pipe_ends_quietly(self):
        path = self.write("many.jsonl", (json.dumps(HONEST) + "\n") * 3000)
        with subprocess.Popen([sys.executable, PROGRAM, "audit", path], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual((process.stderr.read(), process.wait(30)), (b"", 0))

    @unittest.skipUnless(POSIX, "signals")
    def test_interrupt_ends_with_130(self):
        with subprocess.Popen([sys.executable, "-u", PROGRAM, "audit", "--jsonl", "-"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
            process.stdin.write(json.dumps(HONEST).encode() + b"\n")
            process.stdin.flush()
            process.stdout.readline()                       # it is at work now
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(30), 130)
            self.assertNotIn(b"Traceback", process.stderr.read())

    @unittest.skipUnless(POSIX and os.path.exists("/dev/full"), "a full disk")
    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([sys.executable, PROGRAM, "audit", fixture("faithful")], stdout=full,
                                  stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (2, 1))
        self.assertTrue(done.stderr.startswith(b"error: "))

    @unittest.skipUnless(POSIX, "file names of any bytes")
    def test_a_file_name_that_is_no_text(self):
        code, out, err = spawn("audit", b"none\xe9.json")
        self.assertEqual((code, out, err.count(b"\n")), (2, b"", 1))


# ------------------------------------------------------------------------------------- command line: gate

DOOR = os.path.dirname(PROGRAM)
SILENT = record("Nothing came up.", "A: Can you hear me? / C: Please stop calling me, never ring again.")
NO_TEXT = {"call_id": "call_test", "status": "NO_ANSWER"}
RUNNING = record("Four saws are ready.", "C: Four saws are ready.", status="in_progress")
SPANISH = record("Cuatro sierras, 4.", "C: Cuatro, 4.", language="es")
UNHEARD = {"call_id": "call_test", "post_summary": "Four saws are ready.", "transcript": []}
GATES = [                       # record, --fail-on (None: not given), what it fails by
    (HONEST, None, ""), (FALSE, None, "unsupported"), (OPINION, None, "no-claims"),
    (RUNNING, None, "warnings"), (SPANISH, None, "warnings"), (UNHEARD, None, "unsupported warnings"),
    (NO_TEXT, None, "no-claims warnings"), (SILENT, None, "no-claims opt-out"),
    (FALSE, "contradicted,no-claims,warnings", ""), (FALSE, "none", ""), (SILENT, "none", ""),
    (SILENT, "opt-out", "opt-out"), (SILENT, "gaps", "gaps"), (RUNNING, "unsupported", ""),
]


def card_with(**changes):
    """A card with claims and other things as a test wants them."""
    rows = changes.pop("claims", [])
    claims = [{"text": "x", "kind": "numeric", "value": str(n), "grade": grade, "turn_index": None,
               "span": [0, 1], **more} for n, (grade, more) in enumerate(rows)]
    return {"call_id": None, "verdict": "FAITHFUL", "score": 1.0, "label": "pass", "reasoning": "",
            "strict": False, "claims": claims, "counts": {}, "coverage_gaps": [], "warnings": [], **changes}


CARDS_AND_REASONS = [           # a card, --fail-on, what it fails by
    (card_with(), "", ""), (card_with(warnings=["something_new"]), "", ""),
    (card_with(warnings=["speakers_unknown", "outcome_not_read"]), "", "warnings warnings"),
    (card_with(coverage_gaps=["outcome"]), "", ""), (card_with(coverage_gaps=["outcome"]), "gaps", "gaps"),
    (card_with(claims=[("UNDECIDED", {}), (None, {})]), "", ""),
    (card_with(claims=[("UNDECIDED", {}), (None, {})]), "undecided", "undecided"),
    (card_with(claims=[("UNSUPPORTED", {"accepted": True}), ("CONTRADICTED", {})]), "", "contradicted"),
    (card_with(claims=[("UNSUPPORTED", {"accepted": True})], verdict="UNSUPPORTED_CLAIMS"), "", ""),
    (card_with(fields=[{"path": "a", "kind": "numeric", "value": "4", "grade": "UNSUPPORTED"}]), "",
     "unsupported"),
    (card_with(verdict="NO_CHECKABLE_CLAIMS", reason="undecided"), "", "no-claims"),
    # of a recipient: who was not reached fails nothing, unless the call is still running
    (card_with(recipients=[card_with(verdict="NO_CHECKABLE_CLAIMS", reason="summary_missing",
                                     warnings=["transcript_missing"], coverage_gaps=["opt-out"])]), "", ""),
    (card_with(recipients=[card_with(), card_with(coverage_gaps=["opt-out"])]), "", "opt-out"),
    (card_with(recipients=[card_with(verdict="NO_CHECKABLE_CLAIMS", reason="opinion_only")]), "", ""),
    (card_with(recipients=[card_with(verdict="NO_CHECKABLE_CLAIMS", reason="summary_missing",
                                     warnings=["call_not_ended", "transcript_missing"])]), "", "warnings"),
    (card_with(recipients=[card_with(claims=[("CONTRADICTED", {})])]), "", "contradicted"),
]


class Gate(Files):
    """What passes, and that nothing says otherwise."""

    def test_records(self):
        for call, fail_on, groups in GATES:
            path = self.write("call.json", call)
            more = [] if fail_on is None else ["--fail-on", fail_on]
            with self.subTest(call=call, fail_on=fail_on):
                code, out, _ = run("audit", "--exit-code", path, *more)
                words = auditor.FAIL_ON if fail_on is None else fail_on.split(",")
                self.assertEqual([one.group for one in auditor.fails(json.loads(out), words)], groups.split())
                self.assertEqual(code, int(groups != ""))
                self.assertEqual(run("audit", path, *more)[0], 0)
                text = run("audit", "--format", "text", "--exit-code", path, *more)
                self.assertEqual((text[0], text[1].split()[0]), (code, "FAILS" if code else "PASSES"))

    def test_cards(self):
        for card, fail_on, groups in CARDS_AND_REASONS:
            with self.subTest(card=card, fail_on=fail_on):
                reasons = auditor.fails(card, fail_on.split(",") if fail_on else auditor.FAIL_ON)
                self.assertEqual([one.group for one in reasons], groups.split())
                self.assertTrue(all(one.words.endswith(".") for one in reasons))

    def test_text_and_report_say_what_the_exit_code_says(self):
        for path in RECORDS:
            with self.subTest(os.path.basename(path)):
                code, text, _ = run("audit", "--format", "text", "--exit-code", path)
                self.assertEqual(text.split()[0], "FAILS" if code else "PASSES")
                self.assertEqual("Errors may stand" in text.split("\n")[1], code == 0)
                self.assertEqual("<failure" in run("audit", "--format", "junit", path)[1], code == 1)
                self.assertEqual("::error" in run("audit", "--format", "github", path)[1], code == 1)

    def test_no_record_at_all(self):
        empty = self.write("empty.jsonl", "\n \n")
        for args, stdin in (([empty], b""), (["--jsonl"], b""), (["--jsonl", "-"], b"\n"), ([], b"[]"),
                            (["--format", "junit", empty], b""), ([empty, empty], b"")):
            with self.subTest(args):
                code, out, err = run("audit", "--exit-code", *args, stdin=stdin)
                self.assertEqual((code, out), (2, ""))
                self.assertRegex(err, r"\Aerror: no record in [^\n]+\n\Z")

    def test_fail_on_is_checked(self):
        for words in ("", "unsuported", "none,gaps", "unsupported,"):
            code, out, err = run("audit", "--fail-on", words, "x.json")
            self.assertEqual((code, out), (2, ""))
            self.assertIn("--fail-on", err)

    def run_with_ids(self, *args):
        """A run whose claims have ids, whether the program's cards have them yet or not."""
        row = auditor.claim_row
        with mock.patch.object(auditor, "claim_row", lambda *given: {**row(*given), "id": "00c0ffee"}):
            return run("audit", "--exit-code", *args)

    def test_baseline(self):
        false, cards = self.write("false.json", FALSE), self.write("cards.jsonl", "")
        code, out, _ = self.run_with_ids(false)
        card = json.loads(out)
        self.assertEqual(code, 1)
        for accepted, indent, code in ((True, None, 0), (True, 2, 0), (False, None, 1), ("yes", None, 1)):
            card["claims"][0]["accepted"] = accepted
            self.write("cards.jsonl", json.dumps(card, indent=indent) + "\n")
            with self.subTest(accepted=accepted, indent=indent):
                done = self.run_with_ids(false, "--baseline", cards)
                self.assertEqual((done[0], json.loads(done[1])["verdict"]), (code, "UNSUPPORTED_CLAIMS"))
                self.assertEqual(json.loads(done[1])["claims"][0].get("accepted", False), code == 0)
        inner = {"source": "x", "recipients": [{"claims": [{"id": "00c0ffee", "accepted": True}]}]}
        self.write("cards.jsonl", '{"source": "x", "line": 1, "error": "x"}\n' + json.dumps(inner) + "\n")
        self.assertEqual(self.run_with_ids(false, "--baseline", cards)[0], 0)
        self.assertIn("PASSES", self.run_with_ids(false, "--baseline", cards, "--format", "text")[1])

    def test_a_baseline_that_is_none(self):
        rows = [("{}\n{\n", "line 2 of"), ('{"claims": [{"accepted": true}]}', "without an id"),
                (None, "no such file")]
        for content, words in rows:
            path = self.write("b.jsonl", content) if content is not None else "none.jsonl"
            code, out, err = run("audit", fixture("faithful"), "--baseline", path)
            self.assertEqual((code, out), (2, ""))
            self.assertRegex(err, r"\Aerror: [^\n]+\n\Z")
            self.assertIn(words, err)
        self.assertEqual(run("audit", fixture("faithful"), "--baseline", "")[0], 2)


# ----------------------------------------------------------------------------------- command line: inputs

LISTED = [HONEST, FALSE, HONEST]
ARCHIVES = [                    # name, content: each holds LISTED
    ("calls.json", LISTED), ("a.txt", {"calls": LISTED}),
    ("b", {"ok": True, "results": LISTED, "next": None}),
    ("c.json", {"data": LISTED}), ("d.json", {"conversations": LISTED}), ("e.json", {"items": LISTED}),
    ("f.json", {"object": "list", "data": [{"call": one} for one in LISTED]}),
    ("g.ndjson", None), ("h.JSONL", None), ("i.jsonl.gz", None), ("j.NDJSON.GZ", None), ("k.json.gz", LISTED),
]


class Inputs(Files):
    """Where records may stand."""

    def verdicts(self, out):
        return [json.loads(line).get("verdict") for line in out.splitlines()]

    def test_archives(self):
        for name, content in ARCHIVES:
            content = json.dumps(content) if content else "".join(json.dumps(one) + "\n" for one in LISTED)
            content = content.encode()
            path = self.write(name, gzip.compress(content) if name.lower().endswith("gz") else content)
            with self.subTest(name):
                code, out, err = run("audit", path)
                self.assertEqual((code, err), (0, ""))
                self.assertEqual(self.verdicts(out), ["FAITHFUL", "UNSUPPORTED_CLAIMS", "FAITHFUL"])
                self.assertEqual({json.loads(line)["source"] for line in out.splitlines()}, {path})
                self.assertEqual(run("audit", "--exit-code", path)[0], 1)

    def test_one_gzipped_record(self):
        path = self.write("call.json.gz", gzip.compress(json.dumps(FALSE).encode()))
        self.assertEqual(run("audit", path), run("audit", self.write("call.json", FALSE)))
        self.assertEqual(load_call_result(path), load_call_result(os.path.join(self.folder, "call.json")))

    def test_standard_input(self):
        content = gzip.compress("".join(json.dumps(one) + "\n" for one in LISTED).encode())
        code, out, err = spawn("audit", "--jsonl", stdin=content, program=(DOOR,))
        self.assertEqual((code, err, len(out.splitlines())), (0, b"", 3))
        code, out, _ = run("audit", stdin=json.dumps(LISTED).encode())
        self.assertEqual(self.verdicts(out), ["FAITHFUL", "UNSUPPORTED_CLAIMS", "FAITHFUL"])

    def test_a_damaged_gzip_is_an_error(self):
        whole = gzip.compress((json.dumps(HONEST) + "\n").encode() * 50)
        for name, content in (("a.jsonl.gz", whole[:-9]), ("b.json.gz", whole[:40]),
                              ("c.gz", whole[:20] + b"\xff" * 40), ("d.json", b"\x1f\x8bx")):
            path = self.write(name, content)
            with self.subTest(name):
                code, _, err = run("audit", path)
                self.assertEqual(code, 2)
                self.assertRegex(err, r"\Aerror: no readable file \([^\n]+\) in [^\n]+\n\Z")
                code, out, err = run("audit", path, fixture("faithful"))
                self.assertEqual((code, err, self.verdicts(out)[-2:]), (2, "", [None, "FAITHFUL"]))

    def test_bad_records_of_a_list(self):
        path = self.write("calls.json", [5, HONEST, {"post_summary": 5}])
        code, out, err = run("audit", path)
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual((code, err, self.verdicts(out)), (2, "", [None, "FAITHFUL", None]))
        self.assertEqual([(row["line"], row["error"]) for row in rows[::2]], [
            (1, "not an object but a number in record 1"),
            (3, "a number where text belongs (post_summary) in record 3")])

    def test_text_and_page_take_no_list(self):
        path = self.write("calls.json", LISTED)
        for form in ("text", "html"):
            code, out, err = run("audit", "--format", form, path)
            self.assertEqual((code, out), (2, ""))
            self.assertIn("--format " + form, err)
            self.assertEqual(run("audit", "--format", form, self.write("a.NDJSON", "{}"))[0], 2)

    def test_what_is_no_archive(self):
        rows = [{**HONEST, "items": [FALSE]}, {**HONEST, "calls": [{"call_start_time": "2026-01-02"}]},
                {"call": HONEST, "data": LISTED}]
        for call in rows:
            out = run("audit", self.write("call.json", call))[1]
            self.assertEqual(json.loads(out)["verdict"], "FAITHFUL")
        turns_only = self.write("call.json", {"items": [{"role": "user", "content": "Four."}]})
        self.assertIn("neither summary nor transcript", run("audit", turns_only)[2])

    def test_the_content_of_a_tool_result_alone(self):
        blocks = [{"type": "text", "text": json.dumps(FALSE)}]
        path = self.write("call.json", blocks)
        self.assertEqual(json.loads(run("audit", path)[1])["verdict"], "UNSUPPORTED_CLAIMS")
        self.assertEqual(self.verdicts(run("audit", "--jsonl", stdin=json.dumps(blocks).encode())[1]),
                         ["UNSUPPORTED_CLAIMS"])

    def test_lines_without_the_option_get_a_hint(self):
        path = self.write("calls.txt", json.dumps(HONEST) + "\n" + json.dumps(HONEST))
        self.assertIn("--jsonl", run("audit", path)[2])

    def test_own_keys(self):
        call = {"id": 1, "summary": "Five saws.", "messages": turns("C: Six saws."),
                "deep": {"notes": "Four saws.", "log": turns("C: Four saws.")}}
        path = self.write("call.json", call)
        self.assertEqual(run("audit", "--exit-code", path)[0], 1)
        card = json.loads(run("audit", path, "--summary-key", "notes", "--transcript-key", "log")[1])
        self.assertEqual((card["verdict"], card["claims"][0]["text"]), ("FAITHFUL", "Four saws."))
        code, out, err = run("audit", path, "--summary-key", "note")
        self.assertEqual((code, out, err), (2, "", f"error: no key 'note' in {path}\n"))
        lines = self.write("calls.jsonl", json.dumps(call) + "\n{}\n")
        code, out, _ = run("audit", lines, "--summary-key", "notes", "--transcript-key", "log")
        self.assertEqual((code, self.verdicts(out)), (2, ["FAITHFUL", None]))

    def test_callee(self):
        said = [{"speaker": "A", "text": "How many saws?"}, {"speaker": "B", "text": "Four saws are ready."}]
        path = self.write("call.json", {"summary": "Four saws are ready.", "transcript": said})
        self.assertEqual(json.loads(run("audit", path)[1])["warnings"], ["speakers_unknown"])
        for label in ("B", "b"):
            card = json.loads(run("audit", path, "--callee", label)[1])
            self.assertEqual((card["warnings"], card["claims"][0]["speaker"]), ([], "callee"))

    def test_errors_name_files_as_they_are_given(self):
        name = os.path.join(self.folder, "call_415 555 0142.json")
        self.assertEqual(run("audit", name)[2], f"error: no such file in {name}\n")
        row = json.loads(run("audit", name, fixture("faithful"))[1].split("\n")[0])
        self.assertEqual((row["source"], row["error"]), (name, f"no such file in {name}"))
        out = os.path.join(self.folder, "4155550142", "o.json")
        self.assertIn(out, run("audit", fixture("faithful"), "--output", out)[2])

    def test_call_date_is_year_month_day(self):
        for day in ("20261014", "2026-W01-1", "2026-1-4", "\u0662026-01-02", "2026-10-14T00"):
            self.assertIn("--call-date", run("audit", "--call-date", day, fixture("faithful"))[2])

    def test_jobs_give_the_same_bytes_for_files(self):
        bad = self.write("bad.json", "{")
        paths = [*RECORDS, bad, os.path.join(FIXTURES, "calls.jsonl"), "none.json", "none.jsonl"]
        for form in ("json", "junit"):
            wanted = run("audit", "--format", form, *paths)
            self.assertEqual(wanted[0], 2)
            self.assertEqual(run("audit", "--format", form, "--jobs", "2", *paths), wanted)
        wanted = run("audit", "--format", "html", *RECORDS)
        self.assertEqual(run("audit", "--format", "html", "--jobs", "2", *RECORDS), wanted)


# ---------------------------------------------------------------------------------- command line: reports

class Reports(Files):
    """Formats for machines that show test results."""

    def report(self, *args):
        code, out, _ = run("audit", "--format", "junit", *args)
        return code, ElementTree.fromstring(out).find("testsuite")

    def test_junit(self):
        code, suite = self.report(fixture("faithful"), fixture("fabricated_fee"), "none.json",
                                  fixture("opt_out"))
        self.assertEqual((code, suite.get("tests"), suite.get("failures"), suite.get("errors")),
                         (2, "4", "2", "1"))
        cases = suite.findall("testcase")
        self.assertEqual([case.get("classname") for case in cases],
                         [fixture("faithful"), fixture("fabricated_fee"), "none.json", fixture("opt_out")])
        self.assertEqual([[(one.tag, one.get("type")) for one in case] for case in cases],
                         [[], [("failure", "unsupported")], [("error", "unreadable")],
                          [("failure", "opt-out")]])
        self.assertIn("number 45", cases[1][0].text)

    def test_junit_of_lines(self):
        code, suite = self.report(os.path.join(FIXTURES, "calls.jsonl"))
        self.assertEqual((code, suite.get("tests"), suite.get("errors")), (2, str(len(LINES)), "1"))
        self.assertEqual(suite.findall("testcase")[3].get("name"), "line 5")

    def test_hostile_text(self):
        evil = "</testcase>&\x00\x1b\ufffe\ud800\r\n::error::x%0A, \"'"
        path = self.write("call.json", record(f"Five saws {evil}.", "C: Four.", call_id="id" + evil))
        name = self.report(path)[1].find("testcase").get("name")
        self.assertTrue(name.startswith("id</testcase>&"))
        lines = run("audit", "--format", "github", path)[1].splitlines()
        self.assertEqual([line[:8] for line in lines], ["::error ", "::notice"])
        self.assertIn("%250A", lines[0])

    def test_github(self):
        lines = os.path.join(FIXTURES, "calls.jsonl")
        out = run("audit", "--format", "github", fixture("faithful"), lines)[1].splitlines()
        self.assertTrue(out[0].startswith(f"::error file={lines},line=2,title=unsupported::line-towing%0A"))
        self.assertIn("number 95: ", out[0])
        self.assertTrue(out[1].startswith(f"::error file={lines},line=5,title=unreadable::not JSON"))
        self.assertEqual(out[-1].split("::")[1], "notice title=Call summaries")
        self.assertIn("9 calls, 5 fail", out[-1])

    def test_colons_and_commas_in_names(self):
        out = run("audit", "--format", "github", "a:b,c.json")[1]
        self.assertIn("file=a%3Ab%2Cc.json,", out)
        code, out, err = run("audit", "--format", "github", stdin=json.dumps(FALSE).encode())
        self.assertTrue(out.startswith("::error title=unsupported::call_test%0A"))


# --------------------------------------------------------------------------- command line: explain, schema

def words_of(card):
    """(kind, word) of all that a card says in words of its own."""
    yield "verdict", card["verdict"]
    yield "reason", card.get("reason")
    for row in card["claims"]:
        yield "reason", row.get("reason")
        yield "rule", row.get("rule")
    yield from (("warning", word) for word in card["warnings"])
    yield from (("gap", word) for word in card["coverage_gaps"])
    for one in card.get("recipients", ()):
        yield from words_of(one)


def all_cards():
    """Every card of fixtures/cards."""
    for path in sorted(glob.glob(os.path.join(CARDS, "*"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for part in text.splitlines() if path.endswith(".jsonl") else [text]:
            card = json.loads(part)
            if "error" not in card:
                yield os.path.basename(path), card


class Explain(unittest.TestCase):
    """Every word of a card is explained, by the program and by SKILL.md."""

    def test_every_word_of_a_card_is_explained(self):
        known = {(kind.split()[0], word) for kind, word, _, _ in auditor.explanations()}
        said = {pair for _, card in all_cards() for pair in words_of(card) if pair[1]}
        self.assertEqual(said - known, set())
        known = {word for _, word in known} | {"gap " + gap for kind, gap in known if kind == "gap"}
        no_words = {"CONTRADICTED", "UNSUPPORTED", "UNDECIDED", "SUPPORTED", "date_time", "numeric", "name",
                    "strict_mode"}
        words = {word for word in auditor.PLAIN_WORDS if not word.startswith("non_checkable")}
        self.assertEqual(words - known - no_words, set())

    def test_every_key_grade_and_kind_of_the_schema_is_explained(self):
        known = {word for _, word, _, _ in auditor.explanations()}
        schema = json.loads(auditor.CARD_SCHEMA)
        keys = set(schema["properties"])
        for part in schema["$defs"].values():
            keys |= set(part.get("properties", ()))
        claim = schema["$defs"]["claim"]["properties"]
        words = {str(word or "null") for key in ("grade", "kind") for word in claim[key]["enum"]}
        grades = {"supported", "unsupported", "contradicted", "undecided"}          # keys of counts
        self.assertEqual((keys | words) - known - grades, set())
        for word in keys | words:
            self.assertEqual(run("explain", word)[0], 0, word)

    def test_gated_warnings_are_explained(self):
        warnings = {word for kind, word, _, _ in auditor.explanations() if kind == "warning"}
        self.assertEqual(auditor.GATED_WARNINGS - warnings, set())

    def test_skill_names_every_word(self):
        with open(os.path.join(ROOT, "SKILL.md"), encoding="utf-8") as file:
            skill = file.read()
        missing = {word for _, word, _, todo in auditor.explanations() if todo and f"`{word}`" not in skill}
        self.assertEqual(missing, set())

    def test_command(self):
        code, out, err = run("explain", "superseded")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.count("\n"), 3)
        self.assertIn(auditor.PLAIN_WORDS["superseded"], out)
        self.assertEqual(run("explain", "Opt-Out")[1].split("\n")[0], "opt-out (gap)")
        self.assertEqual(run("explain", "record_field")[1].count("record_field ("), 2)
        self.assertEqual(run("explain", "supported")[1],
                         "SUPPORTED (grade)\n  The call says it, and it still stands at the end. "
                         "That is no proof that it is true.\n")
        self.assertEqual(re.findall(r"\((.*)\)\n", run("explain", "UNDECIDED")[1]), ["grade", "reason"])
        self.assertIn("nothing that can be checked", run("explain", "opinion_only")[1])
        self.assertNotIn("{", run("explain")[1])
        code, out, err = run("explain", "hegded")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("hedged", err)


TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_of(value, kind):
    if kind in ("number", "integer"):
        return type(value) is int or kind == "number" and type(value) is float
    return isinstance(value, TYPES[kind])


def faults_of(value, schema, root, at="card"):
    """What a JSON Schema finds wrong: the keywords that the card's schema uses, and no others."""
    rules = {
        "type": lambda rule: any(is_of(value, kind) for kind in ([rule] if isinstance(rule, str) else rule)),
        "enum": lambda rule: any(value == one and type(value) is type(one) for one in rule),
        "const": lambda rule: value == rule,
        "minimum": lambda rule: not is_of(value, "number") or value >= rule,
        "maximum": lambda rule: not is_of(value, "number") or value <= rule,
        "minItems": lambda rule: not isinstance(value, list) or len(value) >= rule,
        "maxItems": lambda rule: not isinstance(value, list) or len(value) <= rule,
        "pattern": lambda rule: not isinstance(value, str) or re.search(rule, value),
        "required": lambda rule: not isinstance(value, dict) or value.keys() >= set(rule),
        "not": lambda rule: list(faults_of(value, rule, root)),
    }
    for key, rule in schema.items():
        if key in rules and not rules[key](rule):
            yield f"{at}: {key} {rule}"
        elif key == "$ref":
            target = root
            for step in rule.split("/")[1:]:
                target = target[step]
            yield from faults_of(value, target, root, at)
        elif key == "properties" and isinstance(value, dict):
            for name in rule.keys() & value.keys():
                yield from faults_of(value[name], rule[name], root, f"{at}.{name}")
        elif key == "items" and isinstance(value, list):
            for n, one in enumerate(value):
                yield from faults_of(one, rule, root, f"{at}[{n}]")
        elif key == "if":
            branch = "else" if list(faults_of(value, rule, root)) else "then"
            yield from faults_of(value, schema[branch], root, at)


def keywords_of(schema):
    """Every keyword in a schema."""
    for key, rule in schema.items():
        yield key
        inner = rule.values() if key in ("properties", "$defs") else [rule] if isinstance(rule, dict) else []
        for one in inner:
            yield from keywords_of(one)


class Schema(unittest.TestCase):
    """The card's JSON Schema says what cards are."""

    def setUp(self):
        code, out, err = run("schema")
        self.assertEqual((code, err), (0, ""))
        self.schema = json.loads(out)

    def faults(self, card):
        return list(faults_of(card, self.schema, self.schema))

    def test_it_uses_what_the_validator_knows(self):
        known = set("$schema title description type enum const minimum maximum minItems maxItems pattern "
                    "required not $ref properties items if then else $defs".split())
        self.assertEqual(set(keywords_of(self.schema)) - known, set())

    def test_every_card_is_valid_and_has_no_other_keys(self):
        claim = self.schema["$defs"]["claim"]["properties"]
        counts = self.schema["$defs"]["counts"]["properties"]
        for name, card in all_cards():
            with self.subTest(name):
                self.assertEqual(self.faults(card), [])
                self.assertEqual(card.keys() - self.schema["properties"].keys(), set())
                self.assertEqual({key for row in card["claims"] for key in row} - claim.keys(), set())
                self.assertEqual(card["counts"].keys() - counts.keys(), set())

    def test_what_is_no_card(self):
        good = json.loads(run("audit", fixture("several_recipients"))[1])
        claim = good["claims"][0]
        rows = [{"verdict": "FINE"}, {"score": 1.5}, {"score": True}, {"reason": "x"}, {"strict": 1},
                {"verdict": "NO_CHECKABLE_CLAIMS"}, {"call_id": 5}, {"coverage_gaps": ["x"]},
                {"counts": {"checkable": -1}}, {"recipients": [{}]}, {"claims": [{**claim, "grade": "TRUE"}]},
                {"claims": [{**claim, "span": [1]}]}, {"claims": [{**claim, "id": "xyz"}]},
                {"claims": [{"text": "x"}]}]
        self.assertEqual(self.faults(good), [])
        for change in rows:
            with self.subTest(change=change):
                self.assertNotEqual(self.faults({**good, **change}), [])

    def test_enums_are_the_programs(self):
        verdicts = set(self.schema["properties"]["verdict"]["enum"])
        self.assertEqual(verdicts, {word for word in auditor.VERDICT_WORDS if word})
        grades = self.schema["$defs"]["claim"]["properties"]["grade"]["enum"]
        self.assertEqual(set(auditor.GRADE_WORDS) - set(grades), set())

    def test_later_keys_have_a_place(self):
        later = {"card": "check_first version schema", "claim": "id words", "counts": "undecided"}
        for name, keys in later.items():
            part = self.schema if name == "card" else self.schema["$defs"][name]
            self.assertEqual(set(keys.split()) - part["properties"].keys(), set())
            self.assertEqual(set(keys.split()) & set(part["required"]), set())


# ------------------------------------------------------------------------------ command line: environment

def close_stream(number):
    return lambda: os.close(number)


class Surroundings(Files):
    """No environment makes a traceback, leaves a file behind, or lets a gate open."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="auditor_")
        cls.addClassCleanup(folder.cleanup)
        # bytecode is kept, whatever this process does: a start takes a third of the time
        cls.environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder.name, "PYTHONDONTWRITEBYTECODE": ""}

    def start(self, *args, program=(DOOR,), environment=(), **more):
        """A process with both outputs caught."""
        more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        process = subprocess.Popen([sys.executable, *program, *args],
                                   env={**self.environment, **dict(environment)}, **more)
        self.addCleanup(process.stderr.close) if process.stderr else None
        self.addCleanup(process.stdout.close) if process.stdout else None
        self.addCleanup(process.kill)
        return process

    def finish(self, *args, **more):
        process = self.start(*args, **more)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_the_door_is_the_same_program(self):
        lines = os.path.join(FIXTURES, "calls.jsonl")
        code, out, err = self.finish("audit", lines)
        self.assertEqual((code, out.decode(), err), (2, run("audit", lines)[1], b""))
        self.assertEqual(self.finish("audit", lines, "--jobs", "2"), (code, out, err))

    @unittest.skipUnless(POSIX, "closing streams")
    def test_closed_streams(self):
        rows = [(1, ["audit", fixture("fabricated_fee")], 2), (1, ["schema"], 2),
                (2, ["audit", "none.json"], 2),
                (0, ["audit", "--jsonl"], 2), (0, ["audit", "-"], 2), (0, ["audit", fixture("faithful")], 0)]
        for stream, args, code in rows:
            with self.subTest(stream=stream, args=args):
                names = {0: "stdin", 1: "stdout", 2: "stderr"}
                done = self.finish(*args, preexec_fn=close_stream(stream), **{names[stream]: None})
                self.assertEqual(done[0], code)
                for said in filter(None, done[1:]):
                    self.assertNotIn(b"Traceback", said)
                if stream != 2:
                    self.assertEqual(done[2].count(b"\n"), int(code == 2))

    @unittest.skipUnless(POSIX and os.path.exists("/dev/full"), "a full disk")
    def test_full_outputs(self):
        with open("/dev/full", "wb") as full:
            code, _, err = self.finish("audit", *RECORDS, stdout=full)
            self.assertEqual((code, err.count(b"\n"), err[:7]), (2, 1, b"error: "))
            self.assertEqual(self.finish("audit", "none.json", stderr=full)[0], 2)
            for unbuffered in ("", "1"):                # argparse passes over an error of its own output
                code, _, err = self.finish("audit", "--help", stdout=full,
                                           environment={"PYTHONUNBUFFERED": unbuffered})
                self.assertEqual((code, err.count(b"\n"), err[:7]), (2, 1, b"error: "))

    @unittest.skipUnless(POSIX, "signals")
    def test_interrupted_with_a_reader_that_is_gone(self):
        lines = "".join(json.dumps({"id": n, "summary": "For 4.", "transcript": "BOT: Four?"}) + "\n"
                        for n in range(3))
        process = self.start("audit", "--jsonl", "-", stdin=subprocess.PIPE,
                             environment={"PYTHONUNBUFFERED": ""})
        process.stdin.write(lines.encode())
        process.stdin.flush()
        time.sleep(2)                                   # cards wait in the buffer, and it for more lines
        process.stdout.close()
        process.send_signal(signal.SIGINT)
        self.assertEqual((process.wait(60), process.stderr.read()), (130, b"error: interrupted\n"))
        process.stdin.close()

    def test_help_in_narrow_encodings_and_without_docstrings(self):
        for encoding in ("ascii", "cp437"):
            code, out, err = self.finish("craft", "--help", environment={"PYTHONIOENCODING": encoding})
            self.assertEqual((code, err), (0, b""))
        self.assertIn(b"{\"goal\": ?}", out)
        code, out, err = self.finish("--help", program=("-OO", DOOR))
        self.assertEqual((code, err), (0, b""))
        self.assertIn(b"Audit the summary", out)

    @unittest.skipUnless(POSIX, "pipes")
    def test_a_closed_pipe_opens_no_gate(self):
        rows = [([fixture("fabricated_fee")], 1), ([fixture("faithful")], 0), ([fixture("faithful")] * 6, 0),
                ([fixture("faithful")] * 6 + [fixture("fabricated_fee")], 1),
                (["--format", "html", fixture("fabricated_fee")], 1)]
        for args, expected in rows:
            with self.subTest(args=args):
                reader, writer = os.pipe()
                os.close(reader)
                code, _, err = self.finish("audit", "--exit-code", *args, stdout=writer)
                os.close(writer)
                self.assertEqual((code, err), (expected, b""))

    @unittest.skipUnless(POSIX, "modes of files")
    def test_output_keeps_the_mode_of_a_file_that_exists(self):
        for mode in (0o600, 0o640, 0o444):
            path = self.write("out.json", "x")
            os.chmod(path, mode)
            self.assertEqual(run("audit", fixture("faithful"), "--output", path)[0], 0)
            self.assertEqual((os.stat(path).st_mode & 0o7777, self.read(path)[:1]), (mode, b"{"))
            os.unlink(path)
        before = os.umask(0o027)
        self.addCleanup(os.umask, before)
        run("audit", fixture("faithful"), "--output", path)
        self.assertEqual(os.stat(path).st_mode & 0o7777, 0o640)

    @unittest.skipUnless(POSIX, "limits of files")
    def test_a_disk_that_fills_up_leaves_nothing(self):
        import resource
        kept = self.write("kept.json", "before")
        for args in ([], ["--format", "html"]):
            code, _, err = self.finish(
                "audit", *RECORDS, *args, "--output", kept,
                environment={"PYTHONDONTWRITEBYTECODE": "1"},           # the limit would cut bytecode too
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)))
            self.assertEqual((code, err.count(b"\n"), err[:7]), (2, 1, b"error: "))
            self.assertEqual((os.listdir(self.folder), self.read(kept)), (["kept.json"], b"before"))

    @unittest.skipUnless(POSIX, "signals")
    def test_signals_leave_nothing(self):
        lines = (json.dumps(HONEST) + "\n").encode() * 150
        for name, jobs, code in (("SIGTERM", "2", 143), ("SIGHUP", "1", 129), ("SIGINT", "2", 130)):
            with self.subTest(name):
                process = self.start(
                    "audit", "--jsonl", "--jobs", jobs, "--output", os.path.join(self.folder, "out.jsonl"),
                    stdin=subprocess.PIPE,
                    preexec_fn=lambda: (os.setsid(), signal.signal(signal.SIGINT, signal.SIG_DFL)))
                stuck = threading.Timer(40, os.killpg, (process.pid, signal.SIGKILL))     # fails, but ends
                stuck.start()
                process.stdin.write(lines)
                process.stdin.flush()
                deadline = time.monotonic() + 20
                while not os.listdir(self.folder) and time.monotonic() < deadline:
                    time.sleep(.02)
                time.sleep(.2)                          # it waits for more lines, its workers for work
                process.send_signal(getattr(signal, name))
                err = process.stderr.read()                 # ends when the last worker has ended
                stuck.cancel()
                self.assertEqual((process.wait(20), err), (code, b"error: interrupted\n"))
                self.assertEqual(os.listdir(self.folder), [])
                process.stdin.close()

    @unittest.skipUnless(POSIX, "signals")
    def test_main_leaves_the_signals_as_they_were(self):
        def own(number, frame):
            pass
        before = signal.signal(signal.SIGTERM, own)
        self.addCleanup(signal.signal, signal.SIGTERM, before)
        run("audit", fixture("faithful"))
        self.assertIs(signal.getsignal(signal.SIGTERM), own)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        run("audit", fixture("faithful"))
        self.assertIs(signal.getsignal(signal.SIGTERM), signal.SIG_DFL)

    def test_main_in_a_thread(self):
        codes = []
        thread = threading.Thread(target=lambda: codes.append(run("audit", fixture("faithful"))[0]))
        thread.start()
        thread.join()
        self.assertEqual(codes, [0])

    @unittest.skipUnless(POSIX, "pseudo-terminals")
    def test_progress_and_a_closing_line_on_a_terminal(self):
        import pty
        lines = self.write("many.jsonl", (json.dumps(HONEST) + "\n") * 1200)
        parent, child = pty.openpty()
        process = self.start("audit", lines, "--output", os.path.join(self.folder, "out"),
                             stdout=child, stderr=child)
        os.close(child)
        said = b""
        while True:
            try:
                part = os.read(parent, 65536)
            except OSError:                                 # the other side is closed
                part = b""
            if not part:
                break
            said += part
        os.close(parent)
        self.assertEqual(process.wait(30), 0)
        self.assertRegex(said.decode(), r"\d+/s, \d+%, \d+ s left: [\d,]+ calls, 0 fail; ")
        self.assertRegex(said.decode(), r"\r\x1b\[K1,200 calls, 0 fail; 1,200 FAITHFUL in \d+\.\d s\r\n\Z")
        self.assertEqual(len(self.read(os.path.join(self.folder, "out")).splitlines()), 1200)


# ------------------------------------------------------------------------------ command line: offline

NETWORK = set("socket ssl select selectors asyncio http urllib ftplib smtplib imaplib poplib telnetlib "
              "xmlrpc socketserver multiprocessing requests webbrowser".split())
BLOCKED = """\
import os, sys
def refuse(event, args):
    if event.startswith("socket.") or event == "import" and args[0] in ("socket", "_socket", "ssl", "_ssl"):
        raise RuntimeError("network: " + event)
sys.addaudithook(refuse)
sys.path.insert(0, sys.argv[1])
sys.argv[1:2] = []
import post_summary_faithfulness_auditor as auditor
code = auditor.main()
loaded = {"socket", "_socket", "ssl", "urllib.request", "http.client", "asyncio"}.intersection(sys.modules)
sys.exit(f"loaded {loaded}" if loaded else code)
"""


class Offline(Files):
    """No network module in the file, none loaded by a run, and runs with sockets blocked."""

    def test_imports_of_the_file(self):
        with open(PROGRAM, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        nodes = list(ast.walk(tree))
        names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
        names = {name.split(".")[0] for name in names}
        self.assertEqual(names & NETWORK, set())
        self.assertEqual(names - set(getattr(sys, "stdlib_module_names", names)), set())
        called = {node.id for node in nodes if isinstance(node, ast.Name)}
        self.assertEqual(called & {"eval", "exec", "__import__", "importlib"}, set())
        pools = [node.name for node in nodes if isinstance(node, ast.FunctionDef)
                 and "concurrent.futures" in [getattr(inner, "module", None) for inner in ast.walk(node)]]
        self.assertEqual(len(pools), 1)                     # the process pool of --jobs, and nowhere else

    def test_runs_with_sockets_blocked(self):
        lines = os.path.join(FIXTURES, "calls.jsonl")
        rows = [(["audit", *RECORDS], 0), (["audit", "--format", "text", *RECORDS], 0), (["audit", lines], 2),
                (["audit", "--format", "html", *RECORDS], 0), (["craft", "--task", "x", "--facts", "y"], 0)]
        for args, expected in rows:
            with self.subTest(args[:3]):
                code, out, err = spawn(os.path.dirname(PROGRAM), *args, program=("-c", BLOCKED))
                self.assertEqual((code, err), (expected, b""))
                self.assertGreater(len(out), 500)


# -------------------------------------------------------------------------------------------- fields

CALL = """Agent: Hello, I'm calling for Gary Ames. A table for four on Friday at 7:30 p.m.?
User: Four is fine, but 7:30 is gone. I have quarter past eight.
Agent: Quarter past eight, then. Is there a deposit?
User: Forty dollars. What's the email? Agent: It's g a r y at holt dot example.
User: Okay, it's booked, quarter past eight. The code is K T four four nine."""
FIELDS = [                      # key, value, kind, grade and reason ("": none, "-": no field of the card)
    ("party_size", 4, "numeric", "SUPPORTED"), ("party_size", 6, "numeric", "UNSUPPORTED not_said"),
    ("partySize", "4", "numeric", "SUPPORTED"), ("duration_minutes", 25, "numeric", "UNSUPPORTED not_said"),
    ("deposit", 40, "numeric", "SUPPORTED"), ("deposit_cents", 4000, "numeric", "SUPPORTED"),
    ("deposit_usd", 45.5, "numeric", "UNSUPPORTED not_said"), ("late_fee", 0, "numeric", "UNDECIDED"),
    ("visit", "2026-10-09T20:15:00Z", "date_time", "SUPPORTED"),
    ("time", "20:15:00", "date_time", "SUPPORTED"),
    ("time", "21:40", "date_time", "UNSUPPORTED not_said"), ("date", "2026-10-09", "date_time", "SUPPORTED"),
    ("date", "2026-11-21", "date_time", "UNSUPPORTED not_said"),
    ("requested_time", "19:30", "date_time", "SUPPORTED"),
    ("customer_name", "gary ames", "text", "SUPPORTED"),
    ("customer_name", "Ruth", "name", "UNSUPPORTED not_said"),
    ("code", "KT449", "name", "SUPPORTED"), ("code", "ZQ812", "name", "UNSUPPORTED not_said"),
    ("email", "gary@holt.example", "name", "SUPPORTED"),
    ("email", "ruth@holt.example", "name", "UNSUPPORTED not_said"),
    ("phone", "+1 555 555 0142", "non_checkable_masked", ""),
    ("phone", 15555550142, "non_checkable_masked", ""),
    ("is_booked", True, "outcome", "SUPPORTED"), ("booked", False, "outcome", "UNSUPPORTED was_done"),
    ("refund_issued", True, "action", "UNSUPPORTED never_mentioned"),
    ("issued", False, "action", "UNDECIDED"), ("terrace", True, "text", "UNDECIDED"),
    ("terrace", False, "", "-"), ("status", "booked", "outcome", "SUPPORTED"),
    ("topic", "table on Friday", "date_time", "SUPPORTED"), ("topic", "deposit", "name", "SUPPORTED"),
    ("topic", "roof", "text", "UNDECIDED"),
    ("notes", None, "", "-"), ("notes", "", "", "-"), ("notes", "Unknown", "", "-"),
    ("notes", "N/A", "", "-"),
    ("booking_id", "b-77", "", "-"), ("link", "https://a.example/x", "", "-"), ("confidence", .93, "", "-"),
    ("user_sentiment", "good", "", "-"), ("rationale", "The user said 9.", "", "-"),
    ("quote", "Four is fine, but 7:30 is gone.", "text", "SUPPORTED"),
    ("quote", "four is fine but half past seven is gone", "text", "SUPPORTED"),
    ("quote", "Four is fine, but 9:30 is gone.", "text", "UNSUPPORTED quote_not_said"),
    ("quote", "We are closed for the whole week.", "text", "UNSUPPORTED quote_not_said"),
    ("evidence", ["The user said, \"I have quarter past eight.\""], "text", "SUPPORTED"),
    ("evidence", ["The user said, \"Dogs are not allowed here.\""], "text", "UNSUPPORTED quote_not_said"),
]


class StructuredResults(Files):
    """What a platform's model filled in is graded on the grounds of claims, with its key as context."""

    def card(self, *options, **more):
        record = {"id": "c", "started_at": "2026-10-06T15:00:00-05:00", "transcript": CALL, **more}
        return json.loads(run("audit", *options, "-", stdin=json.dumps(record).encode())[1])

    def test_leaves(self):
        for key, value, kind, grade in FIELDS:
            with self.subTest(key, value=value):
                rows = self.card("--fields", structured_result={key: value})["fields"]
                found = [(row["kind"], " ".join(filter(None, [row["grade"], row.get("reason")])))
                         for row in rows]
                self.assertEqual(found, [] if grade == "-" else [(kind, grade)])

    def test_without_the_option_nothing_changes(self):
        plain = self.card(summary="A table for four.")
        self.assertEqual(self.card(summary="A table for four.", structured_result={"party_size": 9}), plain)
        self.assertNotIn("fields", plain)

    def test_places(self):
        rows = [({"structured_result": {"party_size": 4}}, "structured_result.party_size"),
                ({"analysis": {"structuredData": {"a": {"partySize": 4}}}},
                 "analysis.structuredData.a.partySize"),
                ({"analysis": {"summary": "x", "guests": 4}}, "analysis.guests"),
                ({"analysis": {"structuredOutputs": {"u": {"name": "Party size", "result": 4}}}},
                 "analysis.structuredOutputs.u.result"),
                ({"call_analysis": {"custom_analysis_data": [4]}}, "call_analysis.custom_analysis_data[0]"),
                ({"variables": {"now": "9", "to": "8", "guests": 4}}, "variables.guests"),
                ({"executed_actions": {"x": {"name": "x", "return_value": {"guests": 4}}}},
                 "executed_actions.x.return_value.guests"),
                ({"analysis": {"data_collection_results": {"guests": {"value": 4, "rationale": "9 guests"}}}},
                 "analysis.data_collection_results.guests.value")]
        for record, path in rows:
            with self.subTest(path):
                card = self.card("--fields", **record)
                found = [(row["path"], row["grade"]) for row in card["fields"]]
                self.assertEqual(found, [(path, "SUPPORTED")])

    def test_own_key(self):
        self.assertEqual(self.card("--fields", answers={"party_size": 9})["fields"], [])
        self.assertEqual(self.card("--fields-key", "answers", answers={"party_size": 9})["verdict"],
                         "UNSUPPORTED_CLAIMS")

    def test_counts_verdict_and_reasoning(self):
        card = self.card("--fields", structured_result={"party_size": 9, "deposit": 40})
        self.assertEqual((card["verdict"], card["score"], card["counts"]["unsupported"]),
                         ("UNSUPPORTED_CLAIMS", .5, 1))
        self.assertIn("numeric 9 (structured_result.party_size) (not_said)", card["reasoning"])
        keys = list(card)
        self.assertEqual(keys[keys.index("claims"):keys.index("counts")], ["claims", "fields", "check_first"])
        self.assertEqual(self.card("--fields", structured_result={"deposit": 40})["verdict"], "FAITHFUL")

    def test_strict(self):
        row, = self.card("--fields", "--strict", structured_result={"topic": "roof"})["fields"]
        self.assertEqual((row["grade"], row["reason"]), ("UNSUPPORTED", "strict"))

    def test_summary_disagrees(self):
        said = "A table for four was booked on Friday at 8:15 p.m. with a deposit of $40."
        for fields, warned in (({"party_size": 5}, ["party_size"]), ({"visit_time": "20:45"}, ["visit_time"]),
                               ({"party_size": 4, "visit_time": "20:15"}, [])):
            with self.subTest(fields):
                card = self.card("--fields", summary=said, structured_result=fields)
                self.assertEqual(card["warnings"],
                                 [f"summary_disagrees: structured_result.{key}" for key in warned])

    def test_summary_tells_what_stood_in_the_end(self):
        said = "A table for four was booked for 8:15 p.m."
        row, = self.card("--fields", summary=said, structured_result={"visit_time": "19:30"})["fields"]
        self.assertEqual((row["grade"], row["reason"]), ("UNSUPPORTED", "superseded"))

    def test_an_end_that_the_summary_tells_is_no_other_start(self):
        for said, grade in (("They give the table back by 9 p.m.", "SUPPORTED"), ("They come at 9 p.m.", "UNSUPPORTED")):
            row, = self.card("--fields", summary=said, structured_result={"visit_time": "20:15"},
                             transcript=CALL + " Agent: I need it back by nine p.m.")["fields"]
            self.assertEqual(row["grade"], grade)

    def test_a_schemas_own_word_need_not_be_said(self):
        row, = self.card("--fields", structured_result={"letters_paused": True})["fields"]
        self.assertEqual(row["grade"], "UNDECIDED")

    def test_what_the_summary_denies(self):
        rows = [("visit_booked", True, "No visit was booked.", "A visit was booked at no charge."),
                ("deposit_paid", True, "A $40 deposit should be paid tonight.", "The $40 deposit was paid."),
                ("newsletter_opt_in", True, "He declined the newsletter.", "She wants the newsletter."),
                ("table_confirmed", True, "The table is not confirmed.", "The table is confirmed."),
                ("order_placed", True, "Nothing was ordered.", "She placed an order for nothing but soup."),
                ("status", "booked", "So nothing is booked yet.", "It is booked, and nothing is owed."),
                ("caller", "Gary", "She turned down Gary.", "Gary is here and turned down noon."),
                ("party_size", 4, "Four was turned down, and six it is.", "Four, and six was turned down."),
                ("offer_declined", True, "She declined the offer.", "The offer was declined."),
                ("deposit_required", True, "A deposit must be paid.", "She needs to pay a deposit.")]
        for key, value, denies, bears_out in rows:
            for said in (denies, bears_out):
                with self.subTest(said):
                    card = self.card("--fields", summary=said, structured_result={key: value}, transcript=CALL
                                     + " Agent: Gary said six, not an order, table, offer or visit.")
                    row, = card["fields"]
                    wanted = said == denies and key not in ("offer_declined", "deposit_required")
                    self.assertEqual(row.get("reason") == "summary_denies", wanted, row)
                    if wanted:
                        self.assertIn(f"summary_disagrees: structured_result.{key}", card["warnings"])

    def test_free_text_opens_with_no_name(self):
        for value, flagged in (("Suspected mould behind the bath", False), ("Ingrid will call about the bath", True),
                               ("Ingrid Moss rang about the bath", True)):
            row, = self.card("--fields", structured_result={"topic": value})["fields"]
            self.assertEqual(row["grade"] == "UNSUPPORTED", flagged)

    def test_too_many_or_too_deep(self):
        deep = 9
        for _ in range(60):
            deep = {"party_size": deep}
        many = {f"party_{n}": 4 for n in range(501)}
        for fields, count in ((many, 500), (deep, 0), ({"a": "x " * 30000}, 0)):
            card = self.card("--fields", structured_result=fields)
            self.assertEqual((len(card["fields"]), card["warnings"]), (count, ["fields_cut"]))

    def test_recipients(self):
        people = [{"summary": "Fine.", "structured_result": {"price": price}, "attempts": [
            {"transcript_turns": [{"speaker": "user", "text": said}]}]}
            for price, said in ((40, "It is forty dollars."), (40, "It is fifty dollars."))]
        card = self.card("--fields", transcript=None, recipients=people)
        found = [(row["path"], row["grade"]) for one in card["recipients"] for row in one["fields"]]
        self.assertEqual(found, [("recipients[0].structured_result.price", "SUPPORTED"),
                                 ("recipients[1].structured_result.price", "UNSUPPORTED")])

    def test_no_number_leaks(self):
        card = self.card("--fields", structured_result={
            "5555550142": "call 555 555 0142", "amount": 15555550142, "list": [{"4155550196": 4}]})
        shown = json.dumps([[{**row, "id": ""} for row in card["fields"]], card["reasoning"]])
        self.assertNotRegex(shown, r"\d(?:[ .,/()+-]?\d){6,}")

    def test_any_value(self):
        odd = [True, 1e300, float("nan"), 10 ** 30, "\ud800", [[[]]], {"": {"": 5}}, "=", "\"",
               "\u201c\u201d", "@", "a@b"]
        for key in ("structured_result", "evidence", "outcome", "analysis", "recipients"):
            for value in odd:
                with self.subTest(key, value=value):
                    card = self.card("--fields", **{key: {"quote": value, "booked": value, "x": [value]}})
                    self.assertIn("fields", card)

    def test_fixtures_give_their_cards(self):
        """From the root: audit --fields fixtures/fields/NAME > fixtures/fields/cards/NAME; both were read."""
        flagged = {
            "bland_wrong": "nights reserved quote",
            "calle_api_wrong": "tire_price_usd slot_reserved evidence[0]",
            "calle_mcp_wrong": "evidence[1] price_per_place places_booked",
            "elevenlabs_wrong": "balance.value pickup_day.quote refund_issued.value",
            "retell_wrong": "exam_moved new_date evidence[0]",
            "several_recipients_wrong": "price evidence[0]",
            "synthflow_wrong": "appointment_cancelled new_appointment quote",
            "vapi_wrong": "visitTime service.quote"}
        for path in sorted(glob.glob(os.path.join(FIXTURES, "fields", "*.json"))):
            name = os.path.basename(path)[:-5]
            with self.subTest(name):
                out = run("audit", "--fields", f"fixtures/fields/{name}.json", cwd=ROOT)[1]
                with open(os.path.join(FIXTURES, "fields", "cards", name + ".json"), "rb") as file:
                    self.assertEqual(out.encode(), file.read())
                card = json.loads(out)
                rows = [row for one in [card, *card.get("recipients", ())] for row in one["fields"]]
                bad = [row["path"] for row in rows if row["grade"] in ("UNSUPPORTED", "CONTRADICTED")]
                wanted = flagged.get(name, "").split()
                self.assertEqual(len(bad), len(wanted))
                for path, end in zip(bad, wanted):
                    self.assertTrue(path.endswith(end), (path, end))

    def test_labelled_calls(self):
        """Honest fields stand, and what comes from nowhere does not pass: fixtures/labelled/fields.jsonl."""
        with open(os.path.join(FIXTURES, "labelled", "fields.jsonl"), encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        pairs = sorted({row["id"][:-1] for row in rows})[::2]       # half of them, for time
        rows = [row for row in rows if row["id"][:-1] in pairs]
        bad = {}
        for row in rows:
            call = auditor.with_fields(auditor.read_call(row["call"], row["id"]), row["call"], ())
            card = auditor.card_of(auditor.audit_task(call))
            bad[row["id"]] = {(one["path"], str(one["value"])) for one in card["fields"]
                              if one["grade"] in ("UNSUPPORTED", "CONTRADICTED")}
        honest = [row["id"] for row in rows if row["label"] == "faithful"]
        self.assertGreaterEqual(len(honest), 60)
        self.assertLessEqual(sum(bool(bad[one]) for one in honest), .03 * len(honest))
        for kind, share in (("nowhere_", .97), ("", .35)):
            wrong = [row["id"] for row in rows if (row.get("kind") or "-").startswith(kind) and row.get("kind")]
            caught = sum(bool(bad[one] - bad[one[:-1] + "f"]) for one in wrong)
            with self.subTest(kind):
                self.assertGreaterEqual(caught, share * len(wrong))


# ------------------------------------------------------------------------------------------ fixtures

EXPECTED = {                    # worked out by hand from the design: verdict, score, grades of values
    "empty_transcript": ("UNSUPPORTED_CLAIMS", 0.0, "confirm U; may 6 U; 09:45 U; 30 U; send U"),
    "fabricated_fee": ("UNSUPPORTED_CLAIMS", .83, "reschedule S; thursday S; friday S; 10:30 S; 40 S; 45 U"),
    "failure_as_success": ("CONTRADICTED_CLAIMS", .75, "book C; Ruth Adeyemi S; saturday S; 16:00 S"),
    "faithful": ("FAITHFUL", 1.0, "Ellison S; 4 S; book S; wednesday S; oct 14 S; 14:00 S; 20 S; email S"),
    "hedged": ("UNSUPPORTED_CLAIMS", .8, "Nadia Brandt S; confirm U; sunday S; 10:00 S; 3 S"),
    "in_progress": ("NO_CHECKABLE_CLAIMS", 0.0, ""),
    "invented_action": ("UNSUPPORTED_CLAIMS", .67, "Peter Salas S; 6 S; email U"),
    "key_value": ("FAITHFUL", 1.0, "friday S; 2 S; 139.50 S; 6 S; 15:00 S"),
    "kind_absent": ("UNSUPPORTED_CLAIMS", .75, "book S; Bea Quintero S; friday S; 85 U"),
    "masked_phone": ("FAITHFUL", 1.0, "call back S; wednesday S; 0142 N"),
    "menu_then_human": ("FAITHFUL", 1.0, "confirm S; thursday S; dec 3 S; 13:00 S; 35 S"),
    "non_english": ("FAITHFUL", 1.0, "nov 6 S; 16:30 S; 45 S"),
    "null_summary": ("NO_CHECKABLE_CLAIMS", 0.0, ""),
    "only_agent_said": ("UNSUPPORTED_CLAIMS", .67, "monday S; 08:30 S; confirm U"),
    "opinion_only": ("NO_CHECKABLE_CLAIMS", 1.0, ""),
    "opt_out": ("FAITHFUL", 1.0, "20 S; 3 S"),
    "relative_dates": ("FAITHFUL", 1.0, "book S; sep 10 S; 09:00 S; sep 22 S; sep 18 S"),
    "reversal": ("FAITHFUL", 1.0, "Lena Park S; confirm S; 2 S; saturday S; 09:00 S"),
    "several_recipients": ("UNSUPPORTED_CLAIMS", 1.0, "640 S; 580 S; 3 S; no-answer S"),
    "shape_app_list": ("FAITHFUL", 1.0, "book S; thursday S; 10:15 S; 130 S"),
    "shape_batch_row": ("FAITHFUL", 1.0, "6 S; 79.95 S; sunday S; 09:00 S; 17:00 S"),
    "shape_bland": ("FAITHFUL", 1.0, "27 S; book S; 2 S; friday S; aug 14 S; 42 S"),
    "shape_calle_api_task": ("FAITHFUL", 1.0, "520 S; 4 S; 60 S; book S; monday S; 08:15 S"),
    "shape_calle_cli": ("FAITHFUL", 1.0, "book S; thursday S; aug 6 S; 11:00 S; 1.5 S"),
    "shape_calle_content_only": ("FAITHFUL", 1.0, "dec 5 S; 07:30 S; 1150 S; 3 S"),
    "shape_calle_mcp_string": ("FAITHFUL", 1.0, "2 S; book S; saturday S; nov 21 S; 15:30 S; 38 S"),
    "shape_calle_sdk": ("FAITHFUL", 1.0, "jan 12 S; 10 S; tuesday S; 18:30 S; 20:00 S; 240 S"),
    "shape_calle_webhook": ("FAITHFUL", 1.0, "12 S; friday S; 14:00 S"),
    "shape_elevenlabs": ("FAITHFUL", 1.0, "Silas Grube S; 64 S; collect S; saturday S; 14:00 S"),
    "shape_livekit": ("NO_CHECKABLE_CLAIMS", 0.0, ""),
    "shape_plain_text": ("FAITHFUL", 1.0, "13:00 S; 25 S; 9 S"),
    "shape_retell": ("FAITHFUL", 1.0, "reschedule S; thursday S; monday S; jun 22 S; 16:45 S"),
    "shape_synthflow": ("NO_CHECKABLE_CLAIMS", 0.0, ""),
    "shape_vapi": ("FAITHFUL", 1.0, "book S; wednesday S; 13:00 S; 55 S; text S; 20 S"),
    "spelled_asr": ("FAITHFUL", 1.0,
                    "9422 S; 2 S; deliver S; thursday S; nov 19 S; 49.50 S; 7031 S; confirm S"),
    "superseded": ("UNSUPPORTED_CLAIMS", .6, "30 U; book S; thursday S; 12:00 U; 18 S"),
    "voicemail_as_confirmed": ("CONTRADICTED_CLAIMS", .67, "confirm C; monday S; 09:00 S"),
    "voicemail_honest": ("FAITHFUL", 1.0, "voicemail S; thursday S; 15:00 S; confirm S"),
    "withdrawn": ("CONTRADICTED_CLAIMS", .8, "Oscar Lind S; confirm C; friday S; 13:00 S; 15:00 S"),
    "wrong_time": ("UNSUPPORTED_CLAIMS", .83, "1 S; book S; tuesday S; 23:15 U; 32 S; cash S"),
}
LINES = ["FAITHFUL", "UNSUPPORTED_CLAIMS", "FAITHFUL", 5, "CONTRADICTED_CLAIMS", "NO_CHECKABLE_CLAIMS",
         "NO_CHECKABLE_CLAIMS", "FAITHFUL"]
DETAILS = [                     # fixture, value, key, what stands there
    ("hedged", "confirm", "reason", "hedged"), ("only_agent_said", "confirm", "reason", "only_agent_said"),
    ("superseded", "30", "reason", "superseded"), ("superseded", "12:00", "reason", "superseded"),
    ("failure_as_success", "book", "contradicted_by_turn", 6),
    ("withdrawn", "confirm", "contradicted_by_turn", 5),
    ("voicemail_as_confirmed", "confirm", "contradicted_by_turn", 0),
    ("kind_absent", "85", "reason", "kind_absent_from_transcript"), ("faithful", "14:00", "match", "literal"),
    ("faithful", "14:00", "turn_index", 1), ("faithful", "4", "turn_index", 1),
    ("faithful", "20", "turn_index", 2),
    ("faithful", "book", "turn_index", 4), ("faithful", "email", "turn_index", 4),
    ("shape_calle_cli", "1.5", "rule", "unit_conversion"), ("shape_calle_cli", "aug 6", "match", "inexact"),
    ("relative_dates", "sep 10", "match", "inexact"), ("relative_dates", "09:00", "match", "literal"),
    ("several_recipients", "3", "rule", "record_field"),
    ("masked_phone", "0142", "kind", "non_checkable_masked"),
    ("menu_then_human", "confirm", "turn_index", 5), ("reversal", "confirm", "turn_index", 5),
    ("wrong_time", "32", "turn_index", 5), ("shape_calle_content_only", "1150", "turn_index", 5),
    ("shape_elevenlabs", "collect", "turn_index", 7), ("shape_vapi", "55", "turn_index", 7),
    ("spelled_asr", "7031", "turn_index", 7), ("spelled_asr", "confirm", "turn_index", 9),
]
GAPS = {"null_summary", "shape_livekit", "shape_synthflow",
        "opt_out"}   # the call reached what nobody sums up


class Fixtures(unittest.TestCase):
    """The bundled records give the cards that a person worked out for them."""

    @classmethod
    def setUpClass(cls):
        cls.cards = {os.path.basename(path)[:-5]: json.loads(run("audit", path)[1]) for path in RECORDS}

    def test_every_record_is_expected(self):
        self.assertEqual(set(self.cards), set(EXPECTED))

    def test_verdicts_and_grades(self):
        letters = {"S": "SUPPORTED", "U": "UNSUPPORTED", "C": "CONTRADICTED", "N": None}
        for name, (verdict, score, grades) in EXPECTED.items():
            with self.subTest(name):
                card = self.cards[name]
                self.assertEqual(card["verdict"], verdict)
                if score is not None:
                    self.assertEqual((card["score"], card["label"]),
                                     (score, "pass" if score >= .5 else "fail"))
                found = {row["value"]: row["grade"] for row in card["claims"]}
                wanted = {item[:-2]: letters[item[-1]] for item in grades.split("; ") if item}
                self.assertEqual({value: found.get(value, "no claim") for value in wanted}, wanted)

    def test_details(self):
        for name, value, key, expected in DETAILS:
            with self.subTest(name, value=value, key=key):
                row = next(row for row in self.cards[name]["claims"] if row["value"] == value)
                self.assertEqual(row.get(key), expected)

    def test_gaps(self):
        self.assertEqual({name for name, card in self.cards.items() if card["coverage_gaps"]}, GAPS)

    def test_recipients(self):
        inner = self.cards["several_recipients"]["recipients"]
        self.assertEqual([(one["call_id"], one["verdict"], one["score"]) for one in inner],
                         [("rcp_porch_1", "FAITHFUL", 1.0), ("rcp_porch_2", "UNSUPPORTED_CLAIMS", .67),
                          ("rcp_porch_3", "NO_CHECKABLE_CLAIMS", 0.0)])

    def test_strict(self):
        rows = [("relative_dates", ["sep 10", "sep 18", "sep 22"]),
                ("shape_calle_cli", ["1.5", "aug 6", "thursday"])]
        for name, grades in rows:
            with self.subTest(name):
                card = json.loads(run("audit", "--strict", fixture(name))[1])
                strict = sorted(row["value"] for row in card["claims"] if row.get("reason") == "strict")
                self.assertEqual((card["verdict"], strict), ("UNSUPPORTED_CLAIMS", grades))

    def test_lines(self):
        code, out, _ = run("audit", os.path.join(FIXTURES, "calls.jsonl"))
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual((code, [row.get("verdict") or row["line"] for row in rows]), (2, LINES))

    @unittest.skipUnless(os.path.isdir(CARDS), "no fixtures/cards yet")
    def test_cards_equal_the_programs_bytes(self):
        """The cards are made from the repository's root: audit fixtures/NAME > fixtures/cards/NAME."""
        for path in sorted(glob.glob(os.path.join(CARDS, "*.json*"))):
            name = os.path.basename(path)
            with self.subTest(name):
                with open(path, "rb") as file:
                    self.assertEqual(run("audit", "fixtures/" + name, cwd=ROOT)[1].encode(), file.read())

    @unittest.skipUnless(os.path.isdir(CARDS), "no fixtures/cards yet")
    def test_every_record_has_a_card(self):
        names = {os.path.basename(path) for path in RECORDS} | {"calls.jsonl"}
        self.assertEqual(names - set(os.listdir(CARDS)), set())

    def test_fixtures_hold_invented_numbers_only(self):
        for path in glob.glob(os.path.join(FIXTURES, "*.json*")):
            with open(path, encoding="utf-8") as file:
                for phone in re.findall(r"\+\d[\d ()-]{6,}", file.read()):
                    self.assertRegex(re.sub(r"\D", "", phone), r"\A1(555)?55501\d\d\Z")


# ---------------------------------------------------------------------------------------- properties

class Properties(unittest.TestCase):
    """What must hold of every record."""

    def calls(self):
        for path in RECORDS:
            call = load_call_result(path)
            for one in call.recipients or [call]:
                yield os.path.basename(path), one

    def card(self, call, said):
        return auditor.analyze(said, call.summary, call.call_id, call_date=call.dates,
                               day_first=call.day_first,
                               language=call.language, facts=call.facts)

    def test_a_flipped_final_answer_flips_the_outcome(self):
        positive = {"confirm", "accept", "book", "reschedule", "complete"}
        flipped = 0
        for name, call in self.calls():
            for claim in self.card(call, call.turns)["claims"]:
                if claim["grade"] != "SUPPORTED" or claim["value"] not in positive or (
                        claim.get("rule") == "negated_outcome"):
                    continue
                at = next(n for n, turn in enumerate(call.turns) if turn.index == claim["turn_index"])
                refusal = call.turns[at]._replace(speaker="callee", text="No, sorry. Please cancel it.")
                with self.subTest(name, value=claim["value"]):
                    rows = self.card(call, call.turns[:at] + [refusal])["claims"]
                    after = [row["grade"] for row in rows if row["span"] == claim["span"]]
                    self.assertIn("CONTRADICTED", after)
                    flipped += 1
        self.assertGreater(flipped, 8)

    def test_without_its_turn_a_claim_loses_its_evidence(self):
        moved = 0
        for name, call in self.calls():
            card = self.card(call, call.turns)
            for n, claim in enumerate(card["claims"]):
                if claim["grade"] != "SUPPORTED" or claim["turn_index"] is None:
                    continue
                rest = [turn for turn in call.turns if turn.index != claim["turn_index"]]
                with self.subTest(name, value=claim["value"]):
                    after = self.card(call, rest)["claims"][n]
                    kept = after["grade"], after["turn_index"]
                    self.assertNotEqual(kept, ("SUPPORTED", claim["turn_index"]))
                    moved += 1
        self.assertGreater(moved, 100)

    def test_evidence_is_quoted_from_its_turn(self):
        for name, call in self.calls():
            spoken_words = {turn.index: mask_pii(turn.text) for turn in call.turns}
            for claim in self.card(call, call.turns)["claims"]:
                if claim["grade"] == "SUPPORTED" and claim["turn_index"] is not None:
                    with self.subTest(name, value=claim["value"]):
                        self.assertIn(claim["quote"].strip("\u2026"), spoken_words[claim["turn_index"]])

    def test_a_transcript_audits_itself(self):
        """What a speaker said, told back as the summary, holds no value that was not said."""
        for name, call in self.calls():
            summary = " ".join(turn.text for turn in call.turns if turn.speaker != "other")
            for row in self.card(call._replace(summary=summary), call.turns)["claims"]:
                if row["kind"] in ("numeric", "date_time") and row.get("reason") != "superseded":
                    with self.subTest(name, value=row["value"]):
                        self.assertIn(row["grade"], ("SUPPORTED", None))

    def test_a_changed_value_is_caught(self):
        """Every amount of a summary, changed to one that no fixture holds, is no longer supported."""
        for name, call in self.calls():
            for claim in self.card(call, call.turns)["claims"] if call.summary else []:
                start, end = claim["span"]
                said = mask_pii(call.summary)[start:end]
                if claim["kind"] == "numeric" and re.fullmatch(r"\$?\d+(\.\d+)?", said):
                    false = call.summary[:start] + "$" * (said[0] == "$") + "8613" + call.summary[end:]
                    with self.subTest(name, value=claim["value"]):
                        rows = self.card(call._replace(summary=false), call.turns)["claims"]
                        grades = [row["grade"] for row in rows if row["span"][0] == start]
                        self.assertEqual(grades, ["UNSUPPORTED"])


# ---------------------------------------------------------------------------------------- rewordings

def replacing(*pairs):
    """A function that applies regular expressions to a text, one after the other."""
    def reworded(said):
        for old, new in pairs:
            said = re.sub(old, new, said)
        return said
    return reworded


def lowered(said):
    """A text with a small first letter, but for "I" and names."""
    return said if re.match(r"I\b|[A-Z][a-z]+(?:'s)? [A-Z]", said) else said[:1].lower() + said[1:]


IN_FULL = replacing((r"\b[Ww]on't\b", "will not"), (r"\b([Cc])an't\b", r"\1annot"), (r"n't\b", " not"),
                    (r"'ll\b", " will"), (r"'m\b", " am"), (r"'ve\b", " have"), (r"'re\b", " are"),
                    (r"\b([Tt]hat|[Ii]t)'s\b", r"\1 is"), (r"\b(I|we|they|she|he)'d\b", r"\1 would"))
DO_WHAT = r"(?=(?:make|do|want|need|come|work|take|afford|accept|commit|promise|cover|book|pay)\b)"
REWORDINGS = {                  # name: who says it otherwise, how; "S" is the summary, "/" cuts turns in two
    "contractions in full": ("AC", IN_FULL),
    "a recogniser's lower case without commas": ("AC", lambda said: said.lower().replace(",", "")),
    "a hum opens each turn": ("AC", lambda said: "Uh, " + lowered(said)),
    "well opens the callee's turns": ("C", lambda said: "Well, " + lowered(said)),
    "yep, nope, alright": ("AC", replacing(
        (r"\b[Yy]es\b", "yep"), (r"\b[Nn]o(?=[,.])", "nope"), (r"\b[Oo]kay\b", "alright"))),
    "an adverb inside the verb": ("AC", replacing(
        (rf"\b(can't|cannot|don't|won't|not) {DO_WHAT}", r"\1 really "),
        (r"\b(I'll|I've|we'll|we've) (?!just)", r"\1 just "),
        (r"\b([Ss]hall|[Cc]ould|[Ww]ould|[Cc]an) (I|we|you) (?!just)", r"\1 \2 just "))),
    "a name ends each turn": ("AC", replacing((r"([.?!])$", r", Lou\1"))),
    "noise ends the agent's statements": (
        "A", lambda said: said if said.endswith("?") else said + " Excuse the traffic here."),
    "turns cut in two": ("/", None),
    "in this call": ("S", lambda said: "In this call, " + lowered(said)),
    "the log says": ("S", lambda said: "The log says that " + lowered(said)),
    "as mentioned": ("S", replacing((r"\.$", " as mentioned."))),
    "then and also before the verb": ("S", replacing(
        (r"\b(was|were|is|has been) (\w+ed\b)", r"\1 then \2"),
        (r"\b([Tt]he \w+|He|She) (confirmed|booked|moved|cancelled|accepted|declined|agreed)\b",
         r"\1 also \2"))),
}


class Rewordings(Graded):
    """What keeps the meaning keeps the grade: in at least 98 of 100 rows that hold."""

    def reworded(self, said, sides, change):
        if sides == "/":
            return [{**turn, "text": part} for turn in turns(said)
                    for part in re.split(r"(?<=[.!]) (?=[A-Z])", turn["text"])]
        sides = [{"A": "agent", "C": "callee"}.get(side) for side in sides]
        return [{**turn, "text": change(turn["text"])} if turn["speaker"] in sides else turn
                for turn in turns(said)]

    def test_thirteen(self):
        self.assertEqual(len(REWORDINGS), 13)
        holding = [row for row in VALUES + OUTCOMES + RECORDED + ACTIONS + MENDED + NAMES
                   if self.grades(audit(*row[:2]), row[2]) == row[2]]
        self.assertGreater(len(holding), 250)
        for name, (sides, change) in REWORDINGS.items():
            lost = []
            for summary, said, expected in holding:
                told = change(summary) if sides == "S" else summary
                card = audit(told, said if sides == "S" else self.reworded(said, sides, change))
                if self.grades(card, expected) != expected:
                    lost.append(f"{told} | {said} | {expected} | {self.grades(card, expected)}")
            with self.subTest(name):
                self.assertLessEqual(len(lost) / len(holding), .02, "\n".join(["", *lost]))


# ------------------------------------------------------------------------------------ broken records

ODD = (                         # stands where something else belongs
    None, True, 0, -1, 1.5, 1e300, float("nan"), float("-inf"), 10 ** 30, 1791936000, "", " ", "\x00",
    "\ud800",
    "\u202e", [], {}, [[]], {"text": 5}, "+1 (555) 555-0142", " five five five, oh one four two ",
    "555\n0142",
    "\u0665\u0665\u0665\u0660\u0661\u0664\u0662", "Agent: hi\nUser: yes at 4", "[00:00:01] BOT: 555-0142",
    "12:99 p.m. 31/31 $1,2,3 -4", "4 " * 300, "no yes " * 100, '{"summary": "x"}',
    "2026-10-14T25:61:00+99:99",
    "../../etc", "fr", "VOICEMAIL", "in_progress", "<script>\x1b[31m", "a" * 5000, "$125,000 on 2026-10-14")
WORDS_OF_CALLS = (              # what calls are made of, in no order
    "yes no okay confirmed cancelled booked four twenty-five half past quarter to p.m. a.m. october 14th "
    "the of march may monday next tomorrow noon hundred thousand dozen couple a an and point oh double "
    "dollars cents percent guests room order number ending in last digits between or not don't can't will "
    "send email call back you i we it is was please sorry actually instead than from until at on for "
    "leave message after the tone mailbox first 21st 9 10 14:00 10/14 2026-10-14 $45 1.5k hour=4o "
    "hold_hours=24 $1,250,000.00 45.50 1,200 15% 9-5 9-11am 1/2 24/7 L2093 5kg 2pm 0642 $125,000.00 ? . ! "
    ", ; : - ' \" % $ # * = o'clock i'll Sun No. 1. 2)").split()
STRANGE = ["\ud800", "\x00", "\x1b[31m", "\x1e", "\x85", "\u2028", "\u202e", "\u200b", "\xb2", "\u2460", "\r",
           "\u0130", "\ufb01",
           "e\u0301\u0301", "\U0001f600", "\u0663\u0664", "\U0001d7d8", "\ufeff", "9" * 5000, "x" * 3000,
           "<script>alert(1)</script>", "]]>", "%s{}", "\\", "1.5e999"]
KEYS_OF_CALLS = (
    "call_id id post_summary summary transcript turns messages text content speaker role data result call "
    "structuredContent recipients attempts started_at timezone locale status answered_by created_at "
    "message analysis metadata").split()


class Breaker:
    """A seeded maker of broken records: of none, and of the bundled ones."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.one_of, self.chance = self.random.choice, lambda share: self.random.random() < share
        self.sources = []
        for path in RECORDS:
            with open(path, encoding="utf-8") as file:
                self.sources.append(json.load(file))

    def some(self, most, make):
        return [make() for _ in range(self.random.randrange(most))]

    def phone(self):
        """Seven digits or more, in any script or spelled, with what people put between them."""
        if self.chance(.3):
            return self.one_of((" ", ", ", "-")).join(
                self.one_of(auditor.DIGIT_NAMES) for _ in range(self.one_of((7, 10, 16))))
        digits = self.one_of(("0123456789", "\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668\u0669"))
        joints = ["", "", " ", "-", ".", "/", ",", "\xa0", "\u2011", "\u200b", " (", ") ", "\n"]
        return "".join(self.one_of(digits) + self.one_of(joints) for _ in range(self.one_of((7, 10, 16, 40))))

    def word(self):
        return self.one_of(WORDS_OF_CALLS) if self.chance(.9) else self.one_of((self.phone(),
                                                                                self.one_of(STRANGE)))

    def text(self, most=60):
        return self.one_of((" ", " ", " ", "", "\n")).join(self.some(most, self.word))

    def value(self, depth=0):
        """A JSON value of any type."""
        makes = [lambda: self.one_of(ODD), self.text, self.phone]
        if depth < 4:
            makes += [lambda: self.some(4, lambda: self.value(depth + 1)),
                      lambda: json.dumps(self.value(depth + 1)),
                      lambda: {self.one_of(KEYS_OF_CALLS): self.value(depth + 1) for _ in range(3)},
                      self.turns]
        return self.one_of(makes)()

    def turns(self):
        return self.some(9,
                         lambda: {self.one_of(("speaker", "role")): self.one_of(("agent", "user", "Ana",
                                                                                 "system", "")),
                                     self.one_of(("text", "content")): self.text(25)})

    def made(self):
        """A record of no call."""
        if self.chance(.15):
            return {self.one_of(KEYS_OF_CALLS): self.value() for _ in range(self.random.randrange(8))}
        return {"call_id": self.one_of(("c-1", 7, None)), "post_summary": self.text(),
                "transcript": self.one_of((self.turns, self.text))(),
                self.one_of(KEYS_OF_CALLS): self.value()}

    def broken(self, value, depth=0):
        """A value with some of its parts left out, doubled, or put in place of others."""
        if depth and self.chance(.04):
            return self.one_of(ODD)
        if isinstance(value, dict):
            return {key: self.broken(one, depth + 1) for key, one in value.items() if self.chance(.97)}
        if isinstance(value, list):
            return [self.broken(one,
                                depth + 1) for one in value for _ in range(self.one_of([0, 1, 1, 1, 1, 1,
                                                                                        2]))]
        if isinstance(value, str) and self.chance(.25):
            at = self.random.randrange(len(value) + 1)
            odd = self.one_of([odd for odd in ODD if isinstance(odd, str)])
            return value[:at] + odd + value[self.one_of([at, at, len(value)]):]
        return value

    def line(self):
        """A record as bytes, some of them damaged."""
        made = self.made() if self.chance(.5) else self.broken(self.one_of(self.sources))
        line = json.dumps(made, ensure_ascii=self.chance(.5)).encode("utf-8", "surrogatepass")
        if self.chance(.1):
            at = self.random.randrange(len(line))
            odd = self.one_of([b"", b"\xff", b"{", b'"', b"\\ud800"])
            line = line[:at] + odd + line[at + self.random.randrange(9):]
        elif self.chance(.03):
            line = self.one_of((b"[" * 99999, b'{"data":' * 60 + b"1" + b"}" * 60,
                                b'{"summary":' + b"9" * 5000 + b"}",
                                b"NaN", b"\x00", b"\xff\xfe", b"[]"))
        return line.replace(b"\n", b" ").replace(b"\r", b" ")

    def lines(self, count):
        return [self.line() for _ in range(count)]


class Broken(Files):
    """Whatever a record holds: the program ends with 0, 1 or 2, in JSON lines, and shows no phone number."""

    EXEMPT = re.compile(r"\d{4}-\d\d-\d\d|\d\d\.\d\d\.\d{4}( \d\d)?")

    def shown(self, card, key=None):
        """Every text that a card shows, but for its source and call ids."""
        if isinstance(card, dict):
            return [text for name, value in card.items() for text in self.shown(value, name)]
        if isinstance(card, list):
            return [text for value in card for text in self.shown(value, key)]
        return [card] if isinstance(card, str) and key not in ("call_id", "source") else []

    def test_every_line_gives_a_line(self):
        lines = [line for line in Breaker(11).lines(300) if line.strip()]
        code, out, err = run("audit", "--jsonl", "-", stdin=b"\n".join(lines))
        self.assertEqual((code, err), (2, ""))
        rows = [json.loads(line, parse_constant=self.fail) for line in out.splitlines()]
        self.assertEqual(len(rows), len(lines))
        self.assertTrue(out.isascii())
        self.assertGreater(sum("verdict" in row for row in rows), 150)
        for row in rows:
            self.assertNotEqual("verdict" in row, "error" in row)
            for text in self.shown(row):
                self.assertNotRegex(self.EXEMPT.sub("", text), r"\d{7}")
                self.assertNotRegex(text.lower(), r"five five five,? oh one four two")

    def test_every_line_alone(self):
        for line in Breaker(15).lines(100):
            with self.subTest(line=line[:300]):
                code, out, err = run("audit", "-", stdin=line)
                self.assertIn(code, (0, 2))
                if code:
                    self.assertEqual(out, "")
                    self.assertRegex(err, r"\Aerror: [^\n]+\n\Z")
                else:
                    json.loads(out, parse_constant=self.fail)

    def test_gate_ends_with_2_or_1(self):
        lines = Breaker(12).lines(60)
        good = [line for line in lines if self.loads(line)]
        self.assertEqual(run("audit", "--exit-code", "--jsonl", "-", stdin=b"\n".join(lines))[0], 2)
        self.assertEqual(run("audit", "--exit-code", "--jsonl", "-", stdin=b"\n".join(good))[0], 1)

    def loads(self, line):
        try:
            read_call(parse_record(line.decode(), "x"), "x")
        except (RecordError, UnicodeDecodeError):
            return False
        return True

    def test_same_bytes_in_every_process(self):
        # two values refused in one breath: whichever a set brings first must not decide the quote
        refused = [json.dumps({
            "post_summary": f"Ray could not make his {day} {hour}:30 appointment.",
            "transcript": f"Agent: You have {day} at {hour}:30. Can you still make it?\n"
                          f"Callee: No, I can't make {day}.\n"
                          f"Agent: I can offer Saturday at 1:15 or Sunday at {hour}:30.\n"
                          "Callee: Saturday at 1:15, please.\nAgent: I've moved it."}).encode()
            for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday") for hour in (9, 10, 11, 12)]
        path = self.write("broken.jsonl", b"\n".join(Breaker(14).lines(150) + refused))
        wanted = spawn("audit", path, PYTHONHASHSEED="1", TZ="UTC")
        self.assertEqual(wanted[0], 2)
        rows = [((), {"PYTHONHASHSEED": "2", "TZ": "Asia/Kolkata", "LC_ALL": "C"}),
                (("--jobs", "3"),
                 {"PYTHONHASHSEED": "3", "TZ": "America/Lima", "PYTHONIOENCODING": "cp1252"})]
        for args, environment in rows:
            with self.subTest(args, environment=environment):
                self.assertEqual(spawn("audit", path, *args, **environment), wanted)

    def test_every_form_stands_every_record(self):
        for line in Breaker(13).lines(80):
            path = self.write("call.json", line)
            for form in ("text", "html"):
                with self.subTest(form=form, line=line[:300]):
                    code, out, err = run("audit", "--format", form, path)
                    self.assertIn(code, (0, 2))
                    self.assertEqual(bool(out), code == 0)
                    self.assertNotRegex(out + err, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
                    if form == "html" and out:
                        reader = PageReader(out)
                        self.assertEqual((reader.open, len(reader.ids)), ([], len(set(reader.ids))))
                        self.assertLessEqual({link[1:] for link in reader.links}, set(reader.ids))
                        self.assertNotIn("<script", out)

    def test_public_functions_raise_nothing_on_text(self):
        maker = Breaker(7)
        for _ in range(100):
            text = maker.text(80)
            with self.subTest(text=text[:200]):
                self.assertEqual(len(mask_pii(text)), len(text))
                found = auditor.decompose_claims(text)      # unmasked too: it may come from elsewhere
                said = [{"speaker": "agent", "text": text}, {"speaker": 7, "text": None}, None]
                self.assertEqual(len(auditor.anchor_claims(found, said)), len(found))

    def test_long_texts_are_soon_audited(self):
        short = "A: For four on October 14? / C: Yes, confirmed."
        told = "Confirmed for 4. The agent will send it. It was not cancelled."
        for n, piece in enumerate((
                "4 ", "four ", "$", "oh ", "5-", "half past ", "a.m. ", "not ", "? ", "#", ",", "(",
                "1,", "twenty ", "=", "x", "no yes ", "the 14th of ", "between 2 and ", "confirmed. ",
                "call back ", "$1, ",
                "no, five ", "four sorry five ", "then 5 ", "yes. ", "at two or at three? ",
                "could you ", "one two ", "\u0301", "A: b. ", "Bob. ", "KX-7 ", "He agreed to it. ")):
            small, large = (piece * 3000)[:3000], (piece * 16000)[:16000]
            side = ("callee", "agent")[n % 2]
            for name, work in (
                    ("summary", lambda text: audit(text, short)),
                    (side, lambda text: audit(told, [{"speaker": side, "text": text}]))):
                with self.subTest(piece=piece, side=name):
                    self.assertTrue(grows_linearly(work, small, large))

    def test_a_flood_on_both_sides_is_soon_audited(self):
        for told, piece, times in (
                ("It is {} dogs. ", "at 4 me and my ", 200), ("It is {} dogs. ", "monday or 10001 ", 200),
                ("It is {} dogs. ", "amp the dog sat ", 400), ("It was booked for {}. ", "Anna Bert. ", 300),
                ("The agent emailed {}. ", "Anna will email. ", 250), ("Come at 3:1{}. ", "the fourth of ", 200)):
            def work(said):
                audit("".join(told.format(10000 + 7 * n) for n in range(len(said) // 16)),
                      [{"speaker": "callee", "text": said}])
            with self.subTest(told, piece=piece):
                self.assertTrue(grows_linearly(work, piece * times, piece * times * 5))


if __name__ == "__main__":
    unittest.main()
