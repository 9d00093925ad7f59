#!/usr/bin/env python3
"""Time the auditor on calls that this script makes up itself, and print ratios beside what they are to reach.

    benchmark.py                 everything; some minutes, most of them for the 200,000 lines
    benchmark.py --quick         the same with short runs, about a minute
    benchmark.py --lines 50000   another length of the long run

Machines differ and are noisy, so no figure stands alone: each is a ratio to something measured in the same
run, the two taken in turns, the median of several. Standard library only; the calls are seeded, every run
times the same ones. Where a system cannot tell a process's memory (Windows), those rows say so.
"""
import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
AUDITOR = os.path.join(HERE, "post_summary_faithfulness_auditor.py")
DOOR = HERE                             # `python3 scripts …`: Python keeps the auditor's bytecode
BARE = [sys.executable, "-c", "import argparse, json, re"]
NOT_MEASURED = "not measured here"

# What is to be reached: a bound on the ratio (None: none is set), and how the table says it.
BY_DOOR, BY_PATH, PER_CALL, GROWTH, MEMORY, TWO_JOBS = (1.6, "at most 1.6"), (3, "at most 3.0"), (
    45, "at most 45; then 30"), (12, "at most 12"), (1.1, "flat: at most 1.1"), (None, "")

# -------------------------------------------------------------------------------------------- calls

NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday".split()
MONTHS = "January March April June July September October November".split()
PLACES = ("the restaurant", "the clinic", "the garage", "the hotel", "the salon", "the dental office")
THINGS = ("table", "appointment", "room", "slot", "booking")
ROOMS = ("by the window", "on the ground floor", "near the entrance", "in the quiet corner", "with a view of the yard")
NAMES = "Reyes Okafor Lindqvist Tanaka Moreau Novak Haddad Silva".split()
CHAT = (                        # what callers also say: nothing to check, everything to read
    ("Did you find us all right last time?", "Yes, no trouble at all, thank you."),
    ("We have moved the desk to the other side of the hall, you will see the sign.", "Good to know, I will look for it."),
    ("Is there anything that you would like us to prepare?", "Not really, the usual is perfectly fine."),
    ("The car park behind the building is open again.", "Oh great, that makes it a lot easier."),
    ("Sorry, the line is not very good today, can you still hear me?", "I can hear you, go ahead."),
    ("If anything changes you can ring 415-555-01{line}, the desk is open until 6 p.m.", "Thanks, I'll do that."),
    ("The person who looked after you before is still with us.", "Lovely, she was very kind to my mother."),
)


def facts_of(rng):
    """The values of one matter that a call settles."""
    hour = rng.randrange(1, 12)
    return {"place": rng.choice(PLACES), "thing": rng.choice(THINGS), "room": rng.choice(ROOMS), "name": rng.choice(NAMES),
            "day": rng.choice(DAYS), "month": rng.choice(MONTHS), "date": rng.randrange(2, 28),
            "hour": hour, "hour_word": NUMBERS[hour - 1], "minute": rng.choice(("thirty", "fifteen", "forty-five")),
            "people": rng.randrange(2, 10), "tens": rng.choice(TENS), "units": rng.choice(NUMBERS[:9]),
            "price": rng.randrange(20, 95), "number": rng.randrange(1000, 9999), "line": rng.randrange(10, 99)}


def talk_of(facts, rng):
    """(agent, callee) pairs that settle the matter, in words and in digits, with a promise at the end."""
    people = NUMBERS[facts["people"] - 1]
    pairs = [
        ("I'm calling {place} about the {thing} for {name}, is this a good moment?", "Sure, go ahead, what do you need?"),
        ("We have it down for {day}, {month} {date}, at {hour_word} {minute} in the afternoon. Is that still right?",
         "Let me check. Yes, {day} at {hour_word} {minute} works for us."),
        ("And it is for " + people + " people, correct?", "That's right, " + people + " of us, {room} if you can."),
        ("The deposit comes to {tens}-{units} dollars, and each hour after that is ${price}.", "Okay, that sounds fair."),
        ("Your reference is {number}, shall I send it by email?", "Yes please, email is best."),
        ("Then the {thing} is confirmed, and I will email you the details tonight.", "Perfect, thank you, bye."),
    ]
    pairs[3:3] = rng.sample(CHAT, 1)
    return [(agent.format(**facts), callee.format(**facts)) for agent, callee in pairs]


def summary_of(facts):
    """A sentence or two on the matter, as a voice agent writes them; one value in some calls was never said."""
    return ("The {thing} for {name} was confirmed for {day}, {month} {date} at {hour}:{clock} p.m. for {people} people. "
            "The deposit is ${amount} and the reference is {number}. The agent will email the details.").format(
                clock={"thirty": 30, "fifteen": 15, "forty-five": 45}[facts["minute"]],
                amount=20 + 10 * TENS.index(facts["tens"]) + NUMBERS.index(facts["units"]) + 1, **facts)


def make_call(turns, rng):
    """A call record of so many turns; a long one settles several matters and chats between them."""
    said, summary = [], []
    while len(said) < turns:
        facts = facts_of(rng)
        for pair in talk_of(facts, rng):
            said += pair
        if len(summary) < 5:
            summary.append(summary_of(facts))
    return {"call_id": f"bench-{rng.randrange(10 ** 6)}", "started_at": "2026-10-12T09:30:00-05:00", "status": "COMPLETED",
            "post_summary": " ".join(summary),
            "transcript": [{"speaker": ("agent", "callee")[n % 2], "text": text} for n, text in enumerate(said[:turns])]}


def make_lines(turns, count):
    """So many calls of that length, each as the line of a .jsonl; always the same ones."""
    rng = random.Random(turns)
    return [json.dumps(make_call(turns, rng)) for _ in range(count)]

# ------------------------------------------------------------------------------------------ clockwork


def seconds(work, clock):
    """How long a piece of work takes by a clock."""
    start = clock()
    work()
    return clock() - start


def in_turns(runs, work, other, clock=time.perf_counter):
    """The times of two pieces of work, taken in turns: a slow moment of the machine then falls on both.

    Of the runs, sorted by the ratio of the two, the one in the middle.
    """
    times = [(seconds(work, clock), seconds(other, clock)) for _ in range(runs)]
    return sorted(times, key=lambda pair: pair[0] / pair[1])[runs // 2]


def process(arguments, environment=None):
    """A function that runs a command to its end, its output thrown away; a command that fails is no measurement."""
    return lambda: subprocess.run(arguments, stdout=subprocess.DEVNULL, check=True, env=environment)


def load_auditor():
    """The auditor as a module, from the file beside this one."""
    spec = importlib.util.spec_from_file_location("post_summary_faithfulness_auditor", AUDITOR)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module

# ----------------------------------------------------------------------------------------------- rows
# A row of the table is (what, measured, ratio or None, target); each function yields the rows of one question.


def rows_of_startup(options):
    """One call, the whole process, against an interpreter that imports what any such program imports."""
    path = os.path.join(options.folder, "call.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(make_lines(14, 1)[0])
    # bytecode is kept, as it is where nobody forbids it, and made by a first run that does not count
    kept = {**os.environ, "PYTHONPYCACHEPREFIX": options.folder}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    for how, program, target in (("by the door", DOOR, BY_DOOR), ("by its path", AUDITOR, BY_PATH)):
        work = process([sys.executable, program, "audit", path], kept)
        work()
        audit, bare = in_turns(options.runs * 3, work, process(BARE, kept))
        yield (f"one call, whole process {how} / bare interpreter", f"{audit * 1000:.0f} ms / {bare * 1000:.0f} ms",
               audit / bare, target)


def rows_of_speed(options):
    """Many calls in one process against json.loads + json.dumps of the same records; growth with the length of a call."""
    auditor = load_auditor()

    def audit(lines):
        for line in lines:
            json.dumps(auditor.card_of(auditor.audit_task(auditor.read_call(json.loads(line), "a call"))))

    def copy(lines):
        for line in lines:
            json.dumps(json.loads(line))

    calls = {turns: make_lines(turns, count) for turns, count in ((14, 100), (140, 10), (1400, 1))}
    audit(calls[14])                                        # tables and patterns are made at their first use
    for turns, lines in calls.items():                      # by the clock of this process alone: what else runs does not count
        slow, fast = in_turns(options.runs, lambda: audit(lines), lambda: copy(lines * 20), time.process_time)
        yield (f"{turns:,}-turn calls in one process / json.loads + dumps",
               f"{len(lines) / slow:,.0f} / {len(lines) * 20 / fast:,.0f} calls a second", slow / fast * 20, PER_CALL)
    for short in (14, 140):
        slow, fast = in_turns(options.runs, lambda: audit(calls[short * 10]), lambda: audit(calls[short]), time.process_time)
        slow, fast = slow / len(calls[short * 10]), fast / len(calls[short])
        yield f"time of {short * 10:,} turns / {short} turns", f"{slow * 1000:.1f} ms / {fast * 1000:.2f} ms", slow / fast, GROWTH


# A small process starts the auditor and reads its peak: this one is itself so big that its own peak would show through.
WATCHER = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
print(os.wait4(child.pid, 0)[2].ru_maxrss)
"""


def peak_memory(lines, count):
    """The peak memory in MB of the auditor over so many lines, fed to its standard input."""
    block = "".join(line + "\n" for line in lines).encode()
    with subprocess.Popen([sys.executable, "-c", WATCHER, sys.executable, AUDITOR, "audit", "--jsonl", "-"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as watcher:
        for _ in range(count // len(lines)):
            watcher.stdin.write(block)
        watcher.stdin.close()
        return int(watcher.stdout.read()) / (2 ** 20 if sys.platform == "darwin" else 2 ** 10)


def rows_of_memory(options):
    """Peak memory of a long run of lines against that of a short one."""
    what = f"peak memory, {options.lines:,} lines / 2,000"
    if not hasattr(os, "wait4"):
        yield what, NOT_MEASURED, None, MEMORY
        return
    lines = make_lines(14, 200)
    many, few = peak_memory(lines, options.lines), peak_memory(lines, 2000)
    yield what, f"{many:.1f} MB / {few:.1f} MB", many / few, MEMORY


def rows_of_jobs(options):
    """--jobs 2 against one process, on one file of lines."""
    what, path = "--jobs 1 / --jobs 2", os.path.join(options.folder, "calls.jsonl")
    lines = make_lines(14, 200)
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(max(1, options.batch // len(lines))):
            file.writelines(line + "\n" for line in lines)
    command = [sys.executable, AUDITOR, "audit", "--jsonl", path, "--jobs"]
    probe = subprocess.run([sys.executable, AUDITOR, "audit", "--help"], stdout=subprocess.PIPE).stdout
    if b"--jobs" not in probe:
        yield what, "skipped: this auditor knows no --jobs", None, TWO_JOBS
        return
    if (os.cpu_count() or 1) < 2:
        yield what, NOT_MEASURED + ": one core", None, TWO_JOBS
        return
    one, two = in_turns(options.runs, process(command + ["1"]), process(command + ["2"]))
    yield what, f"{one:.1f} s / {two:.1f} s, {options.batch:,} calls", one / two, TWO_JOBS

# ----------------------------------------------------------------------------------------- command line


def report(what, measured, ratio, target):
    """A row of the table."""
    bound, said = target
    shown = "" if ratio is None else f"{ratio:.2f} x"
    mark = "" if None in (ratio, bound) else "met" if ratio <= bound else "MISSED"
    return f"{what:56}  {measured:36}  {shown:>9}   {said:19} {mark}".rstrip()


def main(argv=None):
    """Measure, and print the table row by row; exit code 0 whatever the figures are."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true", help="short runs: fewer of them, and a long run of 10,000 lines")
    parser.add_argument("--lines", type=int, metavar="N", help="lines of the long run for memory (200,000; with --quick 10,000)")
    parser.add_argument("--runs", type=int, metavar="N", help="runs whose median counts (7; with --quick 3)")
    options = parser.parse_args(argv)
    options.lines = max(2000, options.lines or (10_000 if options.quick else 200_000))
    options.runs = max(1, options.runs or (3 if options.quick else 7))
    options.batch = 2000 if options.quick else 6000         # calls that --jobs is timed on
    print(f"Python {sys.version.split()[0]}, {sys.platform}, {os.cpu_count()} cores; the median of {options.runs} runs\n")
    print(f"{'measured':56}  {'this run':36}  {'ratio':>9}   to reach", flush=True)
    with tempfile.TemporaryDirectory() as options.folder:
        for rows in (rows_of_startup, rows_of_speed, rows_of_jobs, rows_of_memory):
            for row in rows(options):
                print(report(*row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
