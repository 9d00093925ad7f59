#!/usr/bin/env python3
"""Audit the summary that a voice agent wrote of a phone call against the call's transcript.

    load -> mask -> scan(summary) -> claims ---+
                    scan(transcript) -> index -+-> anchor -> grades -> verdict -> card -> render

    python3 scripts audit call.json               one card; python3 FILE audit … is the same program
    python3 scripts audit calls.jsonl             a card a line
    python3 scripts craft --task … --facts …      a goal for the next call
    python3 scripts explain superseded            what a word of a card means, and what to do
    python3 scripts schema                        the card's JSON Schema

Deterministic, offline, no model, nothing but the standard library. Exit codes: 0 done, whatever the
verdict; 1 with --exit-code when a card fails; 2 wrong input or usage, or no record at all; 130 interrupted,
129 and 143 ended by SIGHUP and SIGTERM.
"""
import argparse
import json
import os
import re
import signal
import sys
from bisect import bisect_left, bisect_right
from collections import namedtuple
from functools import cached_property, lru_cache
from itertools import accumulate, compress, repeat

__version__ = "1.0.0"
__all__ = ["RecordError", "mask_pii", "decompose_claims", "anchor_claims", "analyze", "fails",
           "load_call_result", "craft_template", "main"]


# ------------------------------------------------------------------------------------------ constants

EXIT_DONE, EXIT_FAILS, EXIT_WRONG_INPUT, EXIT_INTERRUPTED = 0, 1, 2, 130

NUMERIC, DATE_TIME, OUTCOME, ACTION = "numeric", "date_time", "outcome", "action"
SPELLED, MASKED, OPINION = "non_checkable_spelled", "non_checkable_masked", "non_checkable_opinion"

SUPPORTED, UNSUPPORTED, CONTRADICTED = "SUPPORTED", "UNSUPPORTED", "CONTRADICTED"

FAITHFUL, UNSUPPORTED_CLAIMS, CONTRADICTED_CLAIMS, NO_CHECKABLE_CLAIMS = (
    "FAITHFUL", "UNSUPPORTED_CLAIMS", "CONTRADICTED_CLAIMS", "NO_CHECKABLE_CLAIMS")

DISCLAIMER = (
    "This card compares words: it shows where in the transcript a claim of the summary was said, by fixed "
    "rules and without understanding. SUPPORTED is no proof that a claim is true, UNSUPPORTED none that it "
    "is false, and no verdict allows or forbids an action; a person decides.")


# -------------------------------------------------------------------------------------------- records


class Mention(namedtuple("Mention", "kind value keys unit per first last")):
    """A span of text read as a kind and a canonical value.

    keys maps every possible reading to the rule it needs (None: it simply means that); the first is the
    canonical one. unit is the row of UNITS or of CURRENCIES that was said with it, or None; per is
    "total" or what one of them costs that much ("night"). first and last are word numbers, last excluded.
    """

    @cached_property
    def slots(self):
        """What it can be a value of: a clock time, a day, a number; a bare hour is both of two."""
        slots = set()
        for key in self.keys:
            if ":" in key:
                slots.add("clock")
            elif self.kind == NUMERIC and key[:3] in MONTH_NAMES:
                slots.add("day")
        if self.kind == NUMERIC or slots and any(":" not in key for key in self.keys):
            slots.add("number")
        return slots or {"day"}


class Claim(namedtuple("Claim", "text kind value span mention polarity owner topic told_of in_range tail "
                       "about beside names also deed", defaults=[None] * 12)):
    """A mention that the summary states.

    text is its sentence, span its [start, end] in the masked summary. polarity is "+" or "-" for an
    outcome, "done", "promise" or "ask" for an action; owner is who is to act ("agent", "callee", None), topic
    the row of TOPICS that an outcome is about, or None; told_of is true for a value told as offered, refused
    or replaced, false for one told as what came out, in_range for one told as
    an end of a range or of a scale, tail for the last digits of a
    number; about holds the words its clause names, beside the readings of the other values in its sentence,
    names the words that its clause names an outcome's object with, also those of the objects joined to it;
    deed is the root of a deed of its own ("waived"), or None.
    """
    __slots__ = ()


class Grade(namedtuple("Grade", "grade turn_index rule quote speaker reason contradicted_by_turn",
                       defaults=[None] * 6)):
    """What became of a claim: SUPPORTED, UNSUPPORTED, CONTRADICTED, or None where nothing can be checked."""
    __slots__ = ()


# -------------------------------------------------------------------------------------------- lexicon
# Words are data. A row is "canonical value: every way it is said"; a new word is a new row or a new surface.


def by_surface(table):
    """Turn a lexicon table round: surface -> canonical value.

    >>> by_surface("oct: oct, october; nov: november")
    {'oct': 'oct', 'october': 'oct', 'november': 'nov'}
    """
    return {surface: value.strip() for row in table.replace("\\\n", "").replace("\n", ";").split(";")
            if ":" in row for value, said in [row.split(":")] for surface in said.strip().split(", ")}


CARDINALS = {word: number for number, word in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen".split())}
CARDINALS.update({word: 20 + 10 * number for number, word in enumerate(
    "twenty thirty forty fifty sixty seventy eighty ninety".split())})
CARDINALS.update(oh=0, o=0, nought=0, nil=0, fourty=40, fiver=5, tenner=10)
CARDINALS.update((word + "s", CARDINALS[word])
                 for word in "two three four five seven eight nine ten twelve thirteen fourteen fifteen "
                 "sixteen eighteen".split())                        # "under-sixteens"
REPEATS = {"double": 2, "triple": 3, "treble": 3}           # "nine double two" is 922
SCALES = {"hundred": 100, "thousand": 1000, "million": 10 ** 6, "billion": 10 ** 9, "grand": 1000,
          "k": 1000, "mil": 10 ** 6}
COLLECTIVES = {"dozen": 12, "couple": 2}       # read only behind "a", "half a" or a number
ORDINALS = {word: number for number, word in enumerate(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split())}
ORDINALS.update(thirtieth=30, fortieth=40, fiftieth=50, sixtieth=60, seventieth=70, eightieth=80,
                ninetieth=90, hundredth=100, thousandth=1000)
FRACTIONS = {"half": .5, "quarter": .25}

MONTHS = by_surface("""
jan: jan, january; feb: feb, february; mar: mar, march; apr: apr, april; may: may; jun: jun, june
jul: jul, july; aug: aug, august; sep: sep, sept, september; oct: oct, october; nov: nov, november
dec: dec, december""")
MONTH_NAMES = list(dict.fromkeys(MONTHS.values()))
MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
WEEKDAYS = by_surface("""
monday: monday, mondays, mon; tuesday: tuesday, tuesdays, tue, tues
wednesday: wednesday, wednesdays, wed, weds; thursday: thursday, thursdays, thu, thur, thurs
friday: friday, fridays, fri; saturday: saturday, saturdays, sat; sunday: sunday, sundays, sun""")
WEEKDAY_NAMES = list(dict.fromkeys(WEEKDAYS.values()))
# "sat" and "sun" are words too
SHORT_WEEKDAYS = frozenset("mon tue tues wed weds thu thur thurs fri sat sun".split())
RELATIVE_DAYS = {"today": 0, "tonight": 0, "tomorrow": 1, "tomorrows": 1, "tmrw": 1, "yesterday": -1}

CLOCK_WORDS = {"noon": "12:00", "midday": "12:00", "midnight": "00:00"}
DAY_PARTS = by_surface("""
am: morning, mornings, a.m, breakfast
pm: afternoon, afternoons, arvo, evening, evenings, tonight, p.m, dinner, supper, lunchtime
night: night, nights, overnight""")
MERIDIEMS = {"a.m": "am", "am": "am", "p.m": "pm", "pm": "pm", "a": "am", "p": "pm"}
PAST, TO = frozenset("past after".split()), frozenset("to til till before of".split())

# unit: dimension, how many of its smallest unit, surfaces. Numbers with units of two rows do not meet unless
# both rows share a dimension and the amounts are equal ("48 hours", "two days").
UNITS_TABLE = """
second time 1: second, seconds, sec, secs
minute time 60: minute, minutes, min, mins
hour time 3600: hour, hours, hr, hrs
day time 86400: day, days, night, nights
week time 604800: week, weeks, wk, wks
fortnight time 1209600: fortnight, fortnights
month months 1: month, months
year months 12: year, years, yr, yrs
decade months 120: decade, decades
percent percent 1: percent, pct, percentage
person person 1: person, persons, people, guest, guests, adult, adults, traveler, travelers, traveller, \
travellers, passenger, passengers, pax, rider, riders, occupants, covers, heads, players, students, diners, \
attendees, participants, visitors, customers, ticket, tickets, seat, seats, individual, individuals, \
members, friends, folks, party, kids, children, group, recipients
room room 1: room, rooms, bedroom, bedrooms, bathroom, bathrooms, bath, baths, bed, beds
star star 1: star, stars
stop stop 1: stop, stops, transfer, transfers, connection, connections, layover, layovers
option option 1: option, options, choice, choices, result, results, match, matches, hotels, restaurants, \
events, buses, cars, houses, apartments, doctors, properties, flights, songs, movies
gram mass 1: gram, grams, g
kilogram mass 1000: kilogram, kilograms, kilo, kilos, kg
milligram milligram 1: milligram, milligrams, mg
ounce ounces 1: ounce, ounces, oz
pound ounces 16: pound, pounds, lb, lbs
meter length 100: meter, meters, metre, metres, m
centimeter length 1: centimeter, centimeters, centimetre, centimetres, cm
kilometer length 100000: kilometer, kilometers, kilometre, kilometres, km
inch inches 1: inch, inches
foot inches 12: foot, feet, ft
yard inches 36: yard, yards
mile inches 63360: mile, miles
liter volume 1000: liter, liters, litre, litres
milliliter volume 1: milliliter, milliliters, millilitre, millilitres, ml
gallon gallon 1: gallon, gallons
degree degree 1: degree, degrees
block block 1: block, blocks"""
UNITS, UNIT_SIZES = {}, {}
for _row in UNITS_TABLE.strip().split("\n"):
    _head, _surfaces = _row.split(": ")
    _unit, _dimension, _size = _head.split()
    UNIT_SIZES[_unit] = (_dimension, int(_size))
    UNITS.update(dict.fromkeys(_surfaces.split(", "), _unit))
THING = "thing"                 # the unit of a counted plural that is in no row: "4 margheritas"
CODE = "code"                   # a number that names something: room 204, order 48213

CURRENCIES = by_surface("""
usd: dollar, dollars, usd, buck, bucks, $
eur: euro, euros, eur, \xa4
gbp: pound, pounds, gbp, quid, sterling, \xa3
jpy: yen, jpy, \xa5; inr: rupee, rupees, inr, \xa6; chf: franc, francs, chf; cny: yuan, cny; krw: won, krw
mxn: peso, pesos""")
CENTS = {"cent": "usd", "cents": "usd", "pence": "gbp", "p": "gbp", "penny": "gbp", "pennies": "usd"}
CURRENCY_CODES = frozenset(CURRENCIES.values())
SAME_UNITS = {("gbp", "pound"), ("eur", "cent")}

# "": the next word says it
RATES = {"each": "each", "apiece": "each", "a": "", "an": "", "per": "", "every": ""}
TOTALS = frozenset("total altogether together overall".split())
CODE_LABELS = frozenset(
    "room rooms order number no flat apartment apt suite bay gate code pin account invoice reference ref "
    "confirmation ticket unit case line platform locker floor extension ext booking id policy box bus flight "
    "model dock lane route building space block track aisle table class grade level door pump section window "
    "zone step desk court pitch bed ward counter stall berth lot seat row shelf".split())
COUNT_CUES = frozenset("for of party need want just only book reserve table".split())
CLOCK_CUES = frozenset("at by until till til from between around about before after past since to".split())
NOT_UNITS = frozenset(      # plural-looking words beside FUNCTION_WORDS that count nothing behind a number
    "s us this thus yes always less plus minus times ends starts closes opens leaves arrives its his hers "
    "ours theirs yours perhaps thanks sometimes mondays tuesdays wednesdays thursdays fridays saturdays "
    "sundays downstairs upstairs across towards afterwards besides unless costs comes makes gets goes means "
    "sorry helps works suits seems feels takes needs runs fits does sits clashes counts weekends weekdays "
    "last next okay ok alright fine please aside away back home early later".split())
PRONOUN_ONE_AFTER = frozenset(  # "the other one", "this one": no count
    "this that the which other another no any every each some last next new good great nice right wrong "
    "first second third same only better cheaper earlier later different big small red blue medium large "
    "lemon".split())
ONE_COUNTS = frozenset("for just only need want book reserve make it is".split())
# "one moment": no count, no duration
IDIOMS = frozenset("moment sec another thing way minute second".split())
SPELLED_ORDINAL_HEADS = frozenset(
    "floor street avenue grade row attempt place level birthday anniversary".split())
ABBREVIATIONS = frozenset("dr mr mrs ms st no vs inc ltd co jr sr approx dept ext est apt ave rd".split())
FUNCTION_WORDS = frozenset(     # what may stand behind "the 14th": anything else makes it "the 14th floor"
    "at in on of for to is was works would will and or but if please then from until till by with about "
    "instead that which when so not it i we you he she they has does can could sounds looks around after "
    "before between through thru also too as because".split())

FOLDS = {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2032": "'", "\u201c": '"', "\u201d": '"',
         "\u2026": ".", "\u2022": "\n", "\u25cf": "\n", "\u2023": "\n", "\u2028": "\n", "\u2029": "\n",
         "\u20ac": "\xa4", "\u20b9": "\xa6"}
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\xad"
PRICE_CUES = frozenset(
    "cost costs price is at comes to charge fee for rate pay paid total about around".split())
NUMBER_WORDS = frozenset(CARDINALS) | frozenset(SCALES) | frozenset(REPEATS) | frozenset(COLLECTIVES)
HALF_LINKS = frozenset("in the at this that on tomorrow today next of same tonight every each".split())

# Speech: what a phrase does in a conversation. A contraction stands for its full form too ("can't": "cannot",
# "can not", and "cant" as a speech recogniser writes it). "s" is the end of "it's", "that's" and "seven's".
CUES_TABLE = {
    "yes": """aye,
it does,
s definite, is definite, no trouble at all, spot on, yes, yeah, yea, yep, yup, ya, yess, ye,
correct, exactly, absolutely, definitely, certainly, of course, sure, that s right, that s correct,
it s correct, all correct, you got it, precisely, sounds good, sounds great, sounds fine, sounds perfect,
sounds right, sounds lovely, sounds wonderful, sound good, go ahead, please do, do it, do that, perfect, deal,
you bet, by all means, that s the one, for sure, true, indeed, i am, i will, we will, i do, i can, we can,
we do, why not""",
    "assent": """would suit, suits him, suits her, suits them,
just do it,
can let him in, will let him in, can let her in, can let them in, can let you in, will let you in,
ll let him in,
ll let you in, ll let them in, somebody will be,
s grand, is grand, that s grand, right you are, that ll do nicely, count on me, s booked for me,
make it the, see you in, see you soon, see you tomorrow, see you tonight, see you monday,
see you tuesday, see you wednesday, see you thursday, see you friday, see you saturday, see you sunday,
that s better, that is better, much better, works better, suits better, that will do, that would do nicely,
put me on it, go on then, all right then, leave it as it is, leave it as is, leave it as, carry on,
stick with, keep them, keep us, keep both, works, that works, works for me, works for us, it works,
works fine, works perfectly, works great, works well, that will work, that would work, will work, would work,
i confirm, we confirm, i can confirm, we can confirm, i accept, we accept, i agree, we agree, agreed,
it s a deal, done deal, go for it, i ll take, we ll take, i ll be there, we ll be there, i ll come,
we ll come, i ll make it, we ll make it, count me in, count us in, put me down, put us down, sign me up,
lock it in, keep it, keep that, keep the, keep my, book it, reserve it, book that, reserve that, book them,
let s do, let s go with, i ll go with, we ll go with, go with, see you then, see you there, see you on,
see you at, i can make it, we can make it, i can do that, that s fine, fine by me, fine with me, good with me,
fine by us, happy with that, happy to do, that s okay, that s ok, that s good, that s great, that s perfect,
is perfect, is fine, is good, is great, is ok, is okay, are fine, be fine, be great, be perfect, be lovely,
be good, be nice, s fine, s good, s great, s perfect, s ok, s okay, s right, suits me, suits us, that suits,
in my diary, in the diary, on my calendar, i still want, we still want, i want it, i want that, i d love,
i approve, approved, make the booking, make the reservation, make the appointment, place it, place the order,
still on, still good, still coming, all good, good to go, no changes, i'm ready, on my way""",
    "ok": """try it, please try, would do, that would do, cool, fantastic, awesome, excellent, wonderful,
great, brilliant, okay, ok, k, right, alright, all right, fine, good, nice, lovely, mm hm, mhm, mmhm, uh huh,
mm, hmm, got it, i see, understood, gotcha, noted, will do, no problem, no worries, super, fair enough, go on,
no rush, no trouble, not a problem, please, yes please""",
    "close": """right now, right away, right then, right here,
still on the waitlist, still on the waiting list, still on the list, still on hold, still on the fence,
don't need more, don't need any, don't need anything, don't need further, won't need anything,
don't need much, don't need no, need nothing else, need nothing more, don't want anything else,
don't have any, that s it, that s all, that will be all, that would be all, that covers it, that s everything,
good bye, goodbye, good day, good evening, good morning, good afternoon, good night, you're welcome,
my pleasure, no good, not good, thank you, thanks""",
    "no": """not this year, not this month, not this season, none at all, none whatsoever,
no, nope, nah, no thanks, no thank you, not really, not now, not yet, not at the moment,
not right now, not today, absolutely not, certainly not, definitely not, of course not, not a chance, no way,
wrong, incorrect, i don't think so, i can't, we can't, i won't, we won't, i don't, we don't, i'm not,
we're not, it isn't, never mind, i didn't""",
    "refuse": """turn it down, turn that down, turn this down, turn them down,
just stop for now, stop for now, i ll stop, nah you re alright, you re alright thanks,
you re all right thanks,
rather you didn't,
won't make that, can't make that time, can't commit to,
not keen, not that keen,
can't commit to anything, can't commit to that, can't commit to it, can't afford, can't stretch,
have to leave it,
leave it this time, leave it this year, have to give it a miss,
i d love to but, love to but, would love to but, d like to but, like to but,
i'd rather just, i'd rather pay, i'd rather stay, i'd rather keep, i'd rather stick, have to pass,
going to pass,
need to pass, gonna pass,
not taking that, not taking it, not taking the, not having that, i ll leave it, we ll leave it,
then no, rather wait, rather leave it, can't go that low, can't go lower, can't go below,
can't go that high, can't go higher, won't go below, won't go lower, not in a million years, in your dreams,
clashes with, i ll give it up, we ll give it up, give it up, not interested, i ll pass, we ll pass,
don't want, doesn't want, won't be able, can't make it, can't make that, can't make the, couldn't make it,
won't make it, can't do it, can't do that, can't come, won't come, won't be coming, not coming,
not going to make, can't accept, can't agree, can't attend, won't be attending, won't be joining,
won't be renewing, i won't be, we won't be, i'd rather not, rather not, i'm not going to, we're not going to,
not for me, not for us, won't manage, can't manage, won't be needing, don't need it, don't need the,
don't need that, leave me off, take me off, leave us off, take us off, take my name off, count me out,
count us out, forget it, forget about it, not anymore, not any more, no longer want, no longer need,
no longer interested, i refuse, we refuse, have to decline, must decline, need to decline, going to decline,
like to decline, decided against, decided not, changed my mind, changed our mind, change of heart, pull out,
pulling out, back out, backing out, drop out, too expensive, too steep, won't work, doesn't work,
not going to work, isn't going to work, not this time, out of the question, can't go ahead,
won't be going ahead, not go ahead, i disagree, give it a miss, give that a miss, scrap it, scrap that,
not what i want, hold off, not happy, have to say no, going to say no, something came up, s come up,
something clashes, not able to make, can't take it, won't take it, can't do, call it off,
call the whole thing off, let s leave it, leave it for now, have to cancel""",
    "hedge": """i'm not certain, i'm not sure, i'm not positive, we're not sure, we're not certain,
let me find out, i ll find out, don't count on me, don't count on it, don't hold me to it,
don't hold me to that, and see, sleep on it, maybe, perhaps, probably, possibly, might, not sure, unsure,
i think so, i guess, i d guess, i suppose, let me check, let me see, let me think, let me ask, let me talk,
think about it, think it over, think on it, have to check, need to check, have to ask, need to ask,
got to ask, check with, talk to my, speak to my, speak with my, talk it over, ask my, ask her, ask him,
get back to you, come back to you, ring you back, let you know, it depends, that depends, we ll see,
hopefully, not certain, hard to say, can't say, can't promise, no promises, can't commit, can't confirm,
not guaranteed, haven't decided, still deciding, undecided, should be fine, should be ok, should be okay,
should work, sounds interesting, i ll try, we ll try, i ll see, leaning towards, sort of, on the fence,
could be, may be able""",
    "pending": """pencil it, pencil you, pencil her, pencil him, pencil them, pencil that, i need a card for,
i d need a card, i ll need a card,
can you call me back, could you call me back, can you ring me back, could you ring me back,
call me back later,
call me later, call back later, provided the, provided it, providing,
she ll decide, he ll decide, they ll decide, i ll decide, we ll decide, will decide,
not till, otherwise no, pending, tentatively, tentative, provisionally, provisional,
in principle, on condition, subject to, provided that, as long as, nothing counts, not final, would have to,
d have to, d need to, not official, not until, only if, until my, until she, until he, until the manager,
still has to, still have to, still needs to, still need to, before agreeing, before i agree, before i commit,
before confirming, not confirmed, to be confirmed, sign off, signs off, signs it off, approve it first,
approves it, waiting on, waiting for approval, have to run it by, need to run it by, run it past,
run it by""",
    "except": """not the, not that one, without the, skip the, skip that, skip it, leave it for now,
forget the,
leave the, leave off,
leave that off, leave it off, leave that out, leave it out, don't need, won't need, do without,
no need for""",
    "only": """just the, only the, just that, only that""",
    "trouble": """s a problem, is a problem, s an issue, is an issue, s tricky, is tricky, s difficult,
is difficult""",
    "takeback": """my mistake, i misspoke, i was wrong, correction, i made a mistake, i made an error,
that was wrong, that s the wrong""",
    "wrong": """wrong number, wrong person, wrong house, no one by that name, nobody by that name,
no one here by, nobody here by, no one called, nobody called, number has changed hands, not my name""",
    "optout": """any more of these, any more calls, don't want calls, don't want to be called,
don't call, stop calling, never call, take me off your, take us off your, off your list,
off the list, off your call list, off your calling, remove me, remove us, remove my number, remove our number,
my number off, my name off your, delete my number, no more calls, don't ring, don't contact, don't phone,
stop ringing, stop phoning, stop contacting, lose this number, lose my number, unsubscribe, no further calls,
quit calling, put me on your do, not call list""",
    "fail": """can't put anything, can't put it in, can't book anything, can't take bookings,
can't take the booking, system s frozen, system s down, system is down, system is frozen,
wouldn't take, won't take, won't accept, wouldn't accept, won't let me, wouldn't let me,
isn't letting me, not letting me, keeps failing, timed out, came back declined, bounced, unsuccessful,
not successful, wasn't successful, isn't successful, unsuccessfully, failed, failure, didn't go through,
not go through, couldn't go through, hasn't gone through, not gone through, never went through,
wouldn't go through, unable to, not able to, wasn't able to, weren't able to, isn't able to, aren't able to,
couldn't, can't make, can't book, can't rent, can't place, can't get, can't complete, can't process,
can't reserve, can't schedule, had an issue, an issue, a problem, some issue, some problem, an error,
some error, ran into, trouble, went wrong, been declined, is declined, got declined, was declined,
was rejected, been rejected, was refused, declined by, been unable, not been able, unchanged, hasn't changed,
still down for, still shows""",
    "undone": """taken that off, taken it off, took that off, took it off,
take that booking off, take the booking off, taking that booking off, take it off again, take you out,
took you out, bump you, bumped you, bumping you,
take you off, taken you off, took you off, taken your name off, take your name off,
removed you, remove you, removed your name, cross you off, crossed you off, struck off, take him off,
taken him off, take her off, taken her off""",
    "find": """i ll take it off, i ll take that off, i ll take this off, we ll take it off,
we ll take that off,
i ll pass that, i ll pass it, i ll pass this, i ll pass your, i ll pass the, i ll pass them, we ll pass that,
we ll pass it, we ll pass this, we ll pass your, we ll pass the,
a problem with that, couldn't have, couldn't agree more, couldn't be better,
couldn't be happier, no issue, i ll pass that on, i ll pass it on, i ll pass on, pass that on, pass it on,
pass this on, pass it along, pass that along, i ll pass along""",
    "done": """placed the order, placed your order, placed that order, see them,
on the schedule, re on the schedule,
s in for, is in for, are in for, re in for,
that s changed, s changed for you, all changed, that s switched, that s swapped, that s moved, s all changed,
we waive it, we ll waive it, i ll waive it, we waive the, we ll waive the, i ll waive the, i can waive,
all finished, it s finished, is finished, job s done, application went in, it went in,
on the booking, s noted, is noted, been noted, ve noted, have noted, put it down for, put that down,
put this down, wrote it down, written it down,
s down for, is down for, are down for, re down for, ll be ready, will be ready, i got the,
i ve got the, we got the, we ve got the, now playing, is playing, starting now, in the book, in the books,
in the system, popped you in, pop you in, squeezed you in, squeeze you in, put you in, put them in,
put him in, put her in, written you in, wrote you in, been made, is made, are made, was made, were made,
have made, ve made, i made, we made, is complete, is completed, i rented, have rented, ve rented, been rented,
all booked, is placed, been placed, been arranged, all set, you re set, it s done, is done, that s done,
all done, done, successful, success, successfully, succeeded, went through, gone through, on its way,
on the way, on his way, on her way, taken care of, you re in, you re booked, you re confirmed, you re down,
have you down, got you down, have her down, have him down, got her down, got him down, have them down,
put you down, put him down, put her down, put them down, it s yours, is yours, is yours now, s his now,
s hers now, s yours now, s theirs now, is his now, is hers now, see him, see her, locked in, sorted,
finalized, finalised, lined up, expect you, expecting you, look forward to seeing you, be there,
will be there""",
}
ASKS_TABLE = {                  # what a question is about
    "else": """anything changed, any change, has anything,
anything else, something else, any thing else, anything more, any questions, any question,
any other questions, any other, any changes, any further, else i can, else you need, more i can, can i help,
could i help, may i help, how can i, how may i, how else, help you with, assist you with, help with,
assist with, help you out, help you further, any help, my help, more help, assist you further,
further assistance, other assistance, further help, be of assistance, be of service, be of help,
do anything for you, do for you, anything further, further today, what else, who else, on your mind,
need help, need anything, am i speaking, speak with, speak to, is this, who is, can you hear, are you there,
still there, good time, bad time, have a moment, have a minute, moment to talk, got a minute, take a minute,
take it from here""",
    "commit": """sign you up, put you down, book you in, enroll you, enrol you, add you to,
somebody be, someone be, anyone be, anybody be, you be in, you be home, still suit, that suit,
is it okay, is it ok, is it all right, is it alright, is it fine, okay to, ok to,
all right to, alright to, got it right, got that right, got this right, have it right, have that right,
got you right, confirm, is that correct, is this correct, that correct, all correct, correct, is that right,
that right, is right, all right, is that ok, is that okay, that okay, that ok, that good, is that good,
is that fine, that fine, sound good, sounds good, sound right, sound okay, sound ok, how does, does that work,
would that work, will that work, that work, work for you, works for you, suit you, okay with you, ok with you,
be okay, be ok, be alright, be all right, be good, be fine, make it, still on, still good, still right,
still fine, still want, still coming, still able, still work, still need, still okay, still happy, still like,
all right for, okay for, good for, happy with, happy to, fine for, fine with, free for, free on,
right for you, keep, shall i, shall we, should i, should we, can i go, may i go, do you fancy, fancy, up for,
shall the, shall he, shall she, shall they, would you like, want me to, like me to, do you want, you want,
do you wish, you wish, interested, ready to, go ahead, proceed, agree, accept, acknowledge, approve, attend,
join, come, renew, place, buy, purchase, how about, what about, will you be, will you, can you come,
could you come, can we, could we, can you do, could you do, can you seat, could you seat, can you fit,
could you fit, can you take, could you take, can you hold, could you hold, can you move, could you move,
can you book, could you book, would you have, do you have anything, is it possible, would it be possible,
please verify, verify the following, verify, just to be sure, let s confirm, let me confirm, you d like""",
    "later": """call back, call again, call you back, call you again, ring back, ring again, ring you back,
ring you again, try again, call later, check back, call you later, call him back, call her back,
call them back, give you a call, give you a ring""",
    "alter": """change or cancel, cancel, cancelling, canceling, call it off, change it, need to change,
want to change, like to change, need to move, want to move""",
}
VOICES_TABLE = {                # a machine's words, those of a machine or a busy person, and a person's
    "recorded": """as dialed, as dialled, call cannot be completed, please hang up, not accepting calls,
didn't get that, make a selection, make your selection, invalid selection, not a valid, invalid option,
all of our, estimated wait, estimated waiting, waiting time, visit our website, your call will be answered,
try again later, leave a callback number, is unavailable, cannot be reached, voicemail, voice mail,
answering machine, mailbox, leave a message, leave me a message, leave us a message, leave your message,
leave your name, leave a brief, leave a short, leave a detailed, leave your number, leave your details,
leave a voice, leave your contact, after the tone, after the beep, at the tone, at the beep,
sound of the tone, the tone, the beep, record your message, record a message, record your name,
come to the phone, unable to take your call, unable to answer, can't take your call, can't answer your call,
take your call right now, take your call at the moment, missed your call, return your call, get to the phone,
call you back as soon, get back to you as soon, can't pick up, can't get to, press one, press two,
press three, press four, press zero, press 1, press 2, press 3, press 4, press 0, press pound, press the,
or press, press any, main menu, following options, menu options, menu has changed, options have changed,
listen carefully, state your name, say your name, tell me your name and, reason for your call,
reason for calling, reason why you re calling, why you re calling, who s calling and why,
your call is important, remain on the line, stay on the line, next available agent,
next available representative, next available operator, number you have dialed, number you have dialled,
number you dialed, number you dialled, not in service, mailbox is full, not accepting messages,
person you are calling, person you re calling, person you are trying, person you re trying,
party you are trying, customer you are calling, subscriber you, dial by name, if you know your party,
know the extension, call is being recorded for, call may be recorded, call may be monitored, being screened,
is being screened, call screening, see if this person, see if they re available, automated attendant,
has been forwarded, been forwarded to, your call has been, wait for the beep, wait for the tone,
hang up or""",
    "reached": """you ve reached, you ve got, away from my phone, away from the phone, away from my desk,
please hold, currently closed, we re closed, closed at the moment, closed right now, our hours are,
our office hours, our opening hours, office is closed, outside of business hours, opening hours are,
business hours, for sales, for appointments, for reservations, for bookings, for billing,
not available right now, i'm not available, we're not available, ring you back, call you back,
thank you for calling, thanks for calling, no one is available, nobody is available, not available to""",
    "human": """how can i help, how may i help, how can we help, how may we help, what can i do for you,
can i help you, may i help you, speaking, who s this""",
}
REFUSED_TABLE = """chock a block, jam packed, slammed, swamped, rammed, never enough, away, on shift, abroad,
in the shower, in the bath,
at work, asleep, in bed, not in, isn't in, stepped out, on holiday, doesn't cover, doesn't even cover,
won't cover,
not enough, nowhere near, not here, isn't here, not at home, isn't at home, not home, in a meeting,
out of the office, a holiday, a bank holiday, a bit late, a bit early, a little late, a little early, bit too,
rather late, rather early, gone, full, taken, booked, unavailable, not available, isn't available, too early,
too late, too expensive, too much, too long, too far, too soon, too many, doesn't work, won't work,
don't work, isn't possible, not possible, is out, s out, sold out, busy, closed, no use, too low, too high,
too dear, the other, for the other, the old, no good, not good, isn't good, not free, isn't free, impossible,
can't do, can't make, booked up, no longer, clashes, murder, doesn't suit, won't suit, not right, isn't right,
wrong, not correct, out of the question, booked solid, can't come, not open"""
HUMAN_WORDS = frozenset(
    "i me my hello hi speaking yes yeah no we sure okay ok here help who what mm huh".split())
ANOTHER_TABLE = """do another, another one, another slot, another appointment, different one,
different appointment, any later, any earlier, any sooner, any other, anything later, anything earlier,
anything sooner, anything cheaper, something later, something earlier, something sooner, something cheaper,
something else, a bit later, a bit earlier, a little later, a little earlier, another time, another day,
different time, different day, other times, other days, come down, do better, lower than that, cheaper one"""
FIX_TABLE = """sorry, i mean, i meant, actually, wait, hold on, hang on, make that, make it, scratch that,
correction, my mistake, or rather, no, rather, let me correct, strike that, apologies, excuse me, well no"""

# Outcomes: stem, its polarity, its words. "+" stems are one family on the transcript's
# side where FAMILIES says so.
OUTCOMES_TABLE = """
confirm +: got a yes, got the yes, got an ok, got the ok, confirm, confirms, confirmed, confirming, \
confirmation, \
verify, verified, reconfirmed, kept, \
keep, keeps, keeping
accept +: granted, grants, grant, said yes, renewed, renew, renews, renewal, extended, went ahead with, \
went with, \
settled on, \
gave the go ahead, took up, signed up to, signed up for, agreeable, accept, accepts, accepted, accepting, \
acceptance, agree, agrees, agreed, agreeing, approve, approves, approved, approval, consented, opted for, \
chose, committed, signed off, selected
book +: ticketed, on order, put in the order, put the order in, put in an order, put an order in, enrol, \
enroll, \
enrols, enrolls, enrolling, has an appointment, has a reservation, has a booking, \
has a table, rented, hired, been made, was made, were made, is made, are made, been set, was set, \
been placed, was placed, appointment made, reservation made, booking made, visit made, set up, \
managed to book, arranged, book, booked, booking, reserve, reserved, reserves, reserving, reservation, \
schedule, scheduled, scheduling, purchase, purchased, bought, ordered, placed an order, order placed, \
order was placed, all set, signed up, enrolled, registered, secured, locked in, pencilled in, penciled in, \
put down for, lined up, slotted in, booked in, put through
reschedule +: reschedule, rescheduled, reschedules, rescheduling, moved, pushed back, push back, postponed, \
brought forward, rebooked, switched to, changed to, shifted
complete +: waived, upgraded, repaired, replaced, unlocked, reinstated, transferred, submitted, added, \
created, activated, played, completed, paid, processed, went through, gone through, go through, finalized, \
finalised, settled, successful, successfully
cancel -: taken off the rota, taken off the schedule, taken off the roster, it s stopped, s been stopped, \
i ve stopped, ve stopped it, have stopped it, i ve ended, have ended, cancel, cancels, cancelled, canceled, \
cancelling, canceling, cancellation, called off, call off, \
calling off, withdrew, withdrawn, withdraw, pulled out, backed out, dropped out, taken off the sheet, \
taken off the list, removed from the list, removed from the sheet, scrapped
decline -: couldn't pay, unable to pay, not able to pay, couldn't afford, can't afford, refused to pay, \
can no longer come, can no longer attend, can no longer make, could no longer come, \
could no longer attend, could no longer make, no longer able to, didn't want, can't make it, \
couldn't make it, couldn't come, can't come, won't be coming, couldn't attend, can't attend, won't attend, \
unable to attend, unable to come, won't be able to attend, won't be able to come, won't be able to make it, \
not be able to attend, not be able to make it, opted out of, said he would not, said she would not, \
said they would not, decline, declines, declined, declining, refuse, refuses, refused, refusal, refusing, \
reject, rejects, rejected, rejecting, not interested, turned down, turned it down, turns down, turning down, \
turn down, turned them down, turned that down, turned the, said no, passed on, decided against, decided not, \
opted not, opted out, chose not, elected not, didn't want to go ahead, didn't go ahead, not to go ahead, \
not go ahead, no longer wants, no longer wanted, backed away
no-answer -: no answer, didn't answer, no one answered, nobody answered, no one picked up, nobody picked up, \
unanswered, didn't pick up, not answered, no response, wasn't answered, went unanswered, rang out, \
couldn't be reached, wasn't reached, not reached, unreachable, no one was reached, didn't reach, \
no human answered, nobody was reached, no contact was made
voicemail -: voicemail, voice mail, answering machine, mailbox, recorded greeting, automated greeting, \
a machine answered, a machine picked up, answered by a machine, reached a machine, got a machine, \
hit a machine, \
was a machine
unavailable -: fully committed, fully reserved, rammed, jam packed, packed out, chock full, \
nothing whatsoever, \
heaving that, completely booked, all booked up, booked out, no appointments available, no slots available, \
none available, nothing available, no rooms available, no tables available, no tickets available, \
had no openings, \
been sold, was sold, were sold, is sold, fully booked, sold out, out of stock, unavailable, \
not available, wasn't available, isn't available, no availability, booked up, was full, is full, were full, \
completely full, no longer available, booked solid, no openings, no vacancies, was taken, were taken
fail -: couldn't be, was unable to, were unable to, is unable to, wasn't able to, weren't able to, \
not possible to order, not possible to book, not possible to make, not possible to reserve, \
not possible to complete, not possible to schedule, not possible to set, not possible to rent, \
not possible to arrange, wasn't possible to order, wasn't possible to book, wasn't possible to make, \
wasn't possible to reserve, wasn't possible to complete, wasn't possible to schedule, \
wasn't possible to set, failed, fails, failure, unsuccessful, unsuccessfully, not successful, \
wasn't successful, didn't go through, not go through, unable to make, unable to complete, couldn't make, \
couldn't complete, couldn't be completed, couldn't be made, couldn't be processed, couldn't be placed, \
couldn't be fulfilled, couldn't be arranged, couldn't be secured, wasn't able to complete, \
wasn't able to make, not able to make, not able to complete, hit an error
opt-out -: number taken off the list, number removed from the list, name taken off the list, \
taken off the mailing list, number off the list, number was removed, number was taken off, number removed, \
number will be removed, number taken off, asked for the calls to stop, not to receive any more calls, \
not to receive further calls, don't call, not to be called, not be called, not to be contacted, \
not be contacted, \
stop calling, \
no further calls, no more calls, opted out of calls, opt out of calls, removed from the call, \
removed from the calling, taken off the call, taken off the calling, off the call list, \
off the calling list, not to call, do-not-call, not call again
wrong-number -: wrong number, number was wrong, incorrect number, number is wrong, wrong person"""

# What an action is called and every way it is said.
ACTIONS_TABLE = """
email: email, emails, emailed, emailing, e mail, e mails, e mailed
mail: in the mail, by mail, mail, mails, mailed, mailing, post, posted, posting, by post
text: text, texts, texted, texting, sms, text message, text messages, a text
send: send, sends, sent, sending, resend, resent
call back: try us again, try me again, call us again, ring us again, give me a bell, give you a bell, \
a bell, \
give me a shout, give you a shout, call back, calls back, called back, calling back, callback, callbacks, \
call, \
calls, called, \
phone, phones, phoning, ring, rings, ringing, ring back, give a call, a ring, return the call, try again, \
try me, call again, buzz
follow up: follow up, follows up, followed up, following up, followup, check in, check back
contact: hear from us, hear from me, hear back, contact, contacts, contacted, contacting, get in touch, \
be in touch, in touch, reach out, get back
confirm: confirm, confirms
arrange: arrange, arranges, arranged, arranging, organise, organize, set up, sort out
book: book, reserve
schedule: schedule, reschedule
transfer: pass it up, passed it up, pass this up, passed this up, pass that up, passed that up, hand over, \
handed over, hand you over, transfer, transfers, transferred, transferring, put through, connect, connects, \
connected, \
connecting, escalate, escalated, patch through
refund: goes back to, go back to, going back to, goes back on, back on his card, back on her card, \
back on your card, back to your card, back to his card, back to her card, credit you, credit your, \
credited the, \
credited to, credited your, credited you, credited her, credited his, credited their, credit it, credit the, \
refund, refunds, refunded, refunding, reimburse, reimbursed, money back
ship: on its way, on the way, on his way, on her way, on my way, on our way, left this morning, went out, \
gone out, \
in the post, gone off, \
went off, left the warehouse, left our warehouse, ship, ships, shipped, shipping, dispatch, dispatches, \
dispatched
deliver: on the truck, on the van, on the lorry, on the cart, take it out to, bring it out, bring it round, \
bring them round, take it to, take them to, take it round, take them round, goes out, go out with, \
going out with, \
out for delivery, put it out, put it out again, drop it off, drop them off, deliver, delivers, delivered, \
delivering, drop off, dropped off, bring, \
brings, brought
pick up: fetch, fetches, fetched, fetching, come for it, come for him, come for her, come for them, \
swing by for, \
get him, get her, pick it up, pick them up, picking it up, picking them up, picking her up, picking him up, \
picking you up, picks it up, picked it up, pick her up, pick him up, pick you up, \
pick up, picks up, picked up, picking up, collect, collects, collected, collecting
process: process, processes
update: update, updates, updated, updating
forward: pass them on, passed it on, passed that on, passed them on, passed this on, pass her on, \
hand it on, \
forward, forwards, forwarded, forwarding, pass on, passed on, pass it on, pass that on, \
pass this on, pass it along, pass along, pass that along, relay, relayed
notify: notify, notifies, notified, notifying, let know, inform, informs, informed, alert, alerted, \
let you know, let her know, let him know, let them know, let me know, let us know
ask: double check with, run them by, run this by, run it past, run that past, run past, run that by, ask, \
asks, \
check with, checks with, consult, consults, run it by, speak to, speak with, talk to
check: look at, looks at, looking at, take a look, check, checks, look into, looks into, looking into, \
investigate, find out, see about, see if, see whether
provide: provide, provides, supply, supplies
visit: visit, visits, come out, come by, come over, stop by, drop by
pay: pay, pays, paying
file: filed, filing, will file, to file, ll file, file it, file a, lodge, lodged, lodging, raised a, \
raise a, open a, opened a, opened an, opening a, opening the, logged, log it, log a, made a report, \
make a report, report it
charge: add it to your, add it to that, add it to the, put it on your, put it on the account, \
put it on account, \
on account, charged, charging, will charge, ll charge, to charge, charge it, charge the, charge your, \
charge you, \
billed, bill it, bill you, debited
reset: reset, resets, resetting, restart it, restart that, restart your, restarted
refer: refer, refers, referred, referring
block: block it, block the, block your, blocked, blocking, freeze, freezes, froze, frozen, suspend, suspended
upload: upload, uploads, uploaded, uploading
hold: hold, holds, set aside, put aside
ensure: make sure, makes sure, making sure, double check, double checks
do: can do, could do, i ll do, we ll do, we do, have for you
come: i m there, i m round there, i m out there, i m over there, be out, be round, pop in, pop by, pop over, \
swing by, drop in, call in, come in, come down, stop in, get there, gets there, come, comes, coming, arrive, \
arrives, arriving, be there"""
# claimed action: what else is evidence of it. Email, mail and text are different from each other;
# "send" is general.
ACTION_FAMILIES = {
    "send": "email, mail, text, ship, transfer", "email": "send", "mail": "send, ship", "text": "send",
    "call back": "contact, follow up", "follow up": "call back, contact",
    "contact": "call back, follow up", "notify": "update, contact, call back", "block": "hold",
        "file": "update, process, send", "refer": "transfer, send",
    "charge": "pay, process", "pay": "do",
    "arrange": "book, schedule, process", "book": "arrange, schedule", "schedule": "book, arrange",
    "provide": "send, email, text, mail, do", "deliver": "ship, send, come", "ship": "send, deliver, mail",
    "forward": "send, email, notify", "update": "notify, call back", "process": "refund, arrange",
    "confirm": "notify, call back", "ask": "check", "check": "ask, ensure", "visit": "come",
        "pick up": "come, visit"}
ACTION_FAMILIES = {root: frozenset(said.split(", ")) for root, said in ACTION_FAMILIES.items()}
# evidence of others, no claim of its own
NO_PROMISES = frozenset(["come", "do", "ensure"])
# told as done they are claims too
DEEDS = frozenset(
    "email mail text send transfer refund ship deliver forward file charge reset refer block".split())
PARTICULARS = frozenset(         # "confirmed the address" needs an address in the call
    "address email phone number name birthday insurance payment card allergy allergies dietary password "
    "account identity id passport license licence signature spelling postcode zip deposit parking menu size "
    "color colour".split())
ENGLISH = frozenset(             # words that nearly every English utterance has one of
    "the and you your to of for is it that this i we have with what will are be can my yes at on in thank "
    "thanks please hello hi okay would there how do not was they s m ll re ve if from all just but here know "
    "about so out up get like".split())
ENGLISH_WORDS = ENGLISH | NUMBER_WORDS
AGENT_NAMES = frozenset("agent assistant bot representative rep ai we i system".split())
PEOPLE = frozenset("customer agent caller guest patient client office staff team someone them they traveler "
                   "attendee shortly soon later back again once asap".split())
INTERJECTIONS = frozenset("wonderful hello sorry hang great thanks thank lovely perfect please sure right "
                          "okay brilliant excellent wait actually well".split())
CALLEE_NAMES = frozenset(
    "customer caller patient guest client user member recipient callee prospect homeowner volunteer tenant "
    "resident parent donor borrower student applicant candidate policyholder cardholder learner "
    "traveler traveller passenger attendee diner subscriber buyer".split())
# What a call can be about, where it is about several things:
# a hotel refused says nothing of the bus that was booked.
TOPICS = by_surface("""
table: table, restaurant, diner, bistro; hotel: hotel, hotels, room, rooms; car: car, cars
bus: bus, buses, coach; ride: ride, cab, taxi; event: event, events, game, concert, show, match, gig
appointment: appointment, appointments, dentist, doctor, therapist, psychologist, psychiatrist, stylist, \
salon, haircut, checkup, cleaning, clinic
property: property, apartment, apartments, house, condo, viewing, walkthrough
alarm: alarm; movie: movie, movies, film; flight: flight, flights; order: order
delivery: delivery, shipment, parcel; insurance: insurance; payment: payment; deposit: deposit
membership: membership, subscription, plan; policy: policy; loan: loan; survey: survey; demo: demo
interview: interview; meeting: meeting; train: train""")
HOTEL_WORDS = frozenset("hotel hotels motel inn hostel suites lodge".split())
TABLES = {"cues": CUES_TABLE, "asks": ASKS_TABLE, "voices": VOICES_TABLE, "outcomes": OUTCOMES_TABLE,
          "actions": ACTIONS_TABLE, "refused": {"refused": REFUSED_TABLE}, "fix": {"fix": FIX_TABLE},
          "another": {"another": ANOTHER_TABLE}}
NUMBER_LINKS = frozenset(["to", "or"])          # of a range where a number follows: not in "needs to see it"
RANGE_CUES = frozenset("between to or range about around approximately roughly up least most from under over "
                       "estimated estimate estimates depending maximum minimum maybe starting".split())
EMPTY_WORDS = frozenset(        # they name nothing that a value could be a value of
    "should have been this there their them than booked confirmed scheduled reserved appointment customer "
    "agent call called said asked itself just only today tomorrow your yours wanna gonna gotta left only "
    "into some more most very well time times date dates agreed moved another what were unfortunately "
    "apologies afraid different other again being morning afternoon evening o'clock each total".split())
SHORT_WORDS = frozenset(        # of three letters, and name nothing
    "the and for you are was not but all any can had has her his him how its let may new now off old one our "
    "out own put say see she too two six ten use way who why yes yet day get got did ago ask bad bit big buy "
    "end far few hey huh lot low mid per sir set sit top try via yep yup hmm guy run ill ive don won isn ain "
    "cos got hit due mon tue wed thu fri sat sun nah aye bye pop cut ran saw met led a.m p.m".split())
NO_THINGS = EMPTY_WORDS.union(
    SHORT_WORDS, FUNCTION_WORDS, CURRENCIES, NUMBER_WORDS, MONTHS, WEEKDAYS, UNITS, FRACTIONS, PAST)
TOLD_OF = frozenset(    # a value in a clause with one of these is told as asked, offered, refused or replaced
    "offered offering offer offers option options alternative alternatives asked requested request requests "
    "sought originally original initially initial previously previous instead rather full taken unavailable "
    "gone refused declined rejected early late suggested suggesting proposed proposal fewer corrected "
    "correcting correction missed considered tried inquired enquired available unsuitable clash clashed "
    "clashes conflict busy closed opted either turned had preferred misheard mistakenly first earlier quoted "
    "used replaced old suit suited suitable rose started opened formerly ruled listed".split())
NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor without cannot can't don't doesn't didn't won't wouldn't "
    "couldn't isn't wasn't weren't aren't hasn't haven't hadn't shouldn't cant dont doesnt didnt wont "
    "wouldnt couldnt isnt wasnt werent hasnt havent unable failed unsuccessful hardly n't".split())
CLAUSE_SIGNS = frozenset(",;:()[].!?\n\x1e")
CLAUSE_STOPS = frozenset(
    "but and so because although though while whereas which who however then or since as".split())
CONDITIONS = frozenset("if when whether unless until till once before provided case should pending".split())
MODALS = frozenset("will would can could may might must shall should ll d going gonna".split())
WISHES = frozenset(             # behind these an outcome was wanted or attempted, not reached
    "asked asking asks ask requested requesting requests request wants wanted want wanting wish wished "
    "wishes hoping hoped hopes like trying tried tries try attempted attempting attempt offered offering "
    "offer proposed proposing calling called call about regarding purpose order interested inquired enquired "
    "inquiring needs needed need considering discussed discuss planned planning plans plan suggested "
    "intended intends intending looking seeking sought prefers preferred invited reminded reminding due "
    "supposed required process option encouraged encouraging message attempts trouble".split())
ACHIEVED = frozenset(
    "able managed proceeded went happy agreed agrees helped succeeded glad pleased willing content".split())
STATES = frozenset("voicemail no-answer wrong-number opt-out unavailable fail".split())
BOOKABLE = frozenset("payment payments deposit transfer appointment appointments reservation reservations "
                     "booking table visit viewing alarm order ticket tickets "
                     "purchase rental room ride delivery arrangement arrangements time slot session".split())
AUXILIARY_BEFORE = frozenset("been was is are were has have s successfully now just".split())
SAID_NEXT = frozenset("that they he she it there".split())      # "added that …" is told, not done
NOUN_FORMS = frozenset(
    "confirmation booking reservation approval acceptance cancellation refusal failure purchase".split())
MAKES = frozenset("made placed created completed received given obtained secured set went arranged "
                  "successful finalized done confirmed issued provided gone through".split())
PAST_FORMS = frozenset("reset successful successfully bought kept paid chose went put set made took withdrew "
                       "withdrawn all no not".split())
DETERMINERS = frozenset(
    "the a an his her their its your my our this that any each original previous existing current".split())

# ----------------------------------------------------------------------------------------------- text

PATTERNS = {}


def pattern(source, flags=0):
    """A regular expression, compiled when it is first used: start-up counts."""
    found = PATTERNS.get(source)
    if found is None:
        found = PATTERNS[source] = re.compile(source, flags)
    return found


class Folding(dict):
    """Character -> the one character that readers see; case, quotes, dashes and digits of any script fold.

    >>> "10\u202f\u2013\u202f12 O\u2019Clock \u0663".translate(Folding())
    "10 - 12 o'clock 3"
    """

    def __missing__(self, code):
        character = chr(code)
        low = character.lower()
        if character in FOLDS:
            low = FOLDS[character]
        elif character in DASHES:
            low = "-"
        elif character.isdecimal():
            low = str(int(character))
        elif character.isspace() and code > 127 or character in ZERO_WIDTH:
            low = " "
        self[code] = low if len(low) == 1 else character
        return self[code]


FOLDING = Folding()
WORD = (r"(\d+(?:[.,:/-]\d+)*(?:[ap]\.m\b|[a-z]*)"        # 1,200  14:00  10/14  9-5pm  2p.m
        r"|[ap]\.m\b"                                     # p.m
        # don't  o'clock  l2093; "it's" is two words
        r"|[a-z\xb5-\uffff]+(?:'(?!(?:s|ll|m|re|ve|d)\b)[a-z]+)*\d*)")
ASCII_WORD = WORD.replace("\xb5-\uffff", "")    # the same for a text that has no other letters: half the time
SOFT = frozenset([" ", ", ", "", "-", "'", " - ", "/", ": ", "; ", "  ", ",", " $", "\"", " \"", "\" "])
LINKS = frozenset([" ", "-", "  ", " - "])
BREAK = frozenset(".!?\n\x1e")
LONGEST = 120       # words of a sentence: one that goes on is cut, so that work on a sentence stays bounded
BEYOND, BEYOND_GAPS = [""] * 8, ["\n"] * 8
SPEAKER_CHANGE = "\x1e"         # between turns of two speakers: no number and no mention crosses it


class Text:
    """A text, folded and cut into words once; every reader works on word numbers.

    words[i] is text[starts[i]:ends[i]] folded, gaps[i] what stands before it, gaps[-1] what ends the text.
    opens lists the first word of every sentence.
    """
    __slots__ = ("raw", "words", "gaps", "starts", "ends", "size", "opens", "dates", "day_first",
                 "cache", "marks")

    def __init__(self, raw, dates=(), day_first=False):
        self.raw, self.dates, self.day_first, self.cache, self.marks = raw, dates, day_first, {}, None
        pieces = pattern(ASCII_WORD).split(raw.lower()) if raw.isascii() \
            else pattern(WORD).split(raw.translate(FOLDING))
        edges = list(accumulate(map(len, pieces)))
        self.words, self.gaps, self.starts, self.ends = pieces[1::2], pieces[::2], edges[::2], edges[1::2]
        self.size = len(self.words)
        self.words += BEYOND                                # so that a reader may look a few words ahead
        self.gaps += BEYOND_GAPS
        self.opens = [0] + [i for i, gap in enumerate(self.gaps[:self.size])
                            if gap not in SOFT and i and self.breaks(i)]
        if self.size > LONGEST:
            ends = zip(self.opens, self.opens[1:] + [self.size])
            self.opens = [i for first, last in ends for i in range(first, last, LONGEST)] or [0]

    def breaks(self, i):
        """Does a sentence end in the gap before word i? Not inside `a.m. on`, `Dr.
        Reyes`, `No. 5`, `$4.50`."""
        gap, before = self.gaps[i], self.words[i - 1]
        if BREAK.isdisjoint(gap):
            return False
        start = self.raw[self.starts[i]:self.starts[i] + 1]
        if gap == "." and start.islower():
            return False                                    # example.org
        if gap[0] != "." or "\n" in gap or SPEAKER_CHANGE in gap or "?" in gap or "!" in gap:
            return True
        if before[-3:] in ("a.m", "p.m"):
            return start.isupper()
        return len(gap.strip()) > 1 or not (before in ABBREVIATIONS and (before != "no" or start.isdecimal())
                                            or len(before) == 1 and before.isalpha() and start.isupper()
                                            and before != "i")

    def sentence(self, i):
        """The sentence that word i stands in, as (first word, last word excluded)."""
        n = bisect_right(self.opens, i)
        return self.opens[n - 1], self.opens[n] if n < len(self.opens) else self.size

    def linked(self, i):
        """Does word i follow the word before it with nothing but a space or a hyphen between?"""
        return self.gaps[i] in LINKS


# --------------------------------------------------------------------------------- lexicon: platforms

SPEAKERS = {                # role: every label of it, folded as `fold_label` does
    "agent": "agent, bot, assistant, ai, robot, ai assistant, ai agent, ai bot, ai caller, call e, calle, "
             "virtual assistant, virtual agent, voice agent, voice assistant, voice bot, voicebot, voice ai, "
             "automated assistant, call agent, phone agent, model, chatbot",
    "callee": "callee, user, customer, human, recipient, patient, caller, client, guest, rider, contact, "
              "lead, prospect, person, called party, other party, end user, member, passenger, tenant, "
              "respondent, homeowner, candidate, subscriber, business, store, shop, restaurant, clinic, "
              "office, pharmacy, pharmacist, hotel, front desk, receptionist, staff, vendor, voicemail, "
              "answering machine, ivr, phone menu",
    "other": "other, unknown, unidentified, third party, transfer target, operator, speaker",
    "drop": "system, developer, tool, tools, tool call, tool calls, tool result, tool results, "
            "tool call result, tool call invocation, tool use, function, function call, function calls, "
            "function call output, function result, node transition, injected, sms, dtmf, agent action, "
            "agent handoff, agent config update",
}
INLINE_LABELS = frozenset(  # open a turn after a sentence's end too: some transcripts are all one line
    "agent bot assistant ai callee user customer human recipient patient caller client guest rider".split())
NO_LABELS = frozenset((     # they open a sentence of speech, not a turn
    "note notes yes no okay ok so and but also total time date address price name phone email mail re ps "
    "warning reminder summary subject today tomorrow monday tuesday wednesday thursday friday saturday "
    "sunday transcript option options first second third question answer reason result great sure well "
    "right").split())

SUMMARY_KEYS = (            # the first two go before the others in any layer
    "post_summary postSummary summary call_summary callSummary transcript_summary transcriptSummary "
    "conversation_summary short_summary overview").split()
TRANSCRIPT_KEYS = (         # plain lists before woven ones, the scrubbed copy only if it is the only one
    "transcript transcript_turns transcriptTurns transcript_object transcripts turns messages conversation "
    "utterances dialogue dialog interaction_transcript asr sentences paragraphs chat_history chat "
    "messagesOpenAIFormatted transcript_with_tool_calls scrubbed_transcript_with_tool_calls "
    "concatenated_transcript full_transcript transcript_text transcription").split()
CALL_KEYS = frozenset(SUMMARY_KEYS + TRANSCRIPT_KEYS)
TURN_LISTS = "turns messages items sentences paragraphs".split()        # inside an object under such a key
TEXT_KEYS = "text message content utterance sentences en_text transcript multivoice_message".split()
SPEAKER_KEYS = ("speaker role user speaker_name speakerName speakerLabel name source from author "
                "participant speaker_id speakerId channel media_channel").split()
ID_KEYS = ("call_id id conversation_id room_id interaction_id run_id runId callId job_id session_id "
           "c_id").split()
STATUS_LINE = frozenset((   # a `message` of such words only tells the state of the run
    "a the your this call run task status is was has been now in progress finished completed complete "
    "ended done success successful successfully failed queued started running result results ready").split())

FIELDS = {                  # what the keys of a layer hold
    "layer": "status_result structuredContent structured_content get_call_run_result result call_result "
             "callResult data call run message response payload body output artifact analysis "
             "call_analysis callAnalysis transcript conversation",
    "detail": "extracted calling metadata request_data assistant transcriber chat_history",
    "start": "started_at startedAt start_timestamp start_time startTime call_start_time "
             "start_time_unix_secs start_datetime",
    "items": "calls activity items",                    # the first entry's time, if no start is given
    "created": "created_at createdAt date ts",          # before the start; better than nothing
    "zone": "timezone time_zone timeZone",
    "language": "locale language main_language language_code lang",
    "region": "region",
    "status": "status call_status callStatus final_status run_status",
    "reason": "answered_by answeredBy failure_code failureCode endedReason ended_reason "
              "disconnection_reason end_call_reason termination_reason hangup_reason in_voicemail",
}
KEYS = {key: field for field, keys in FIELDS.items() for key in keys.split()}
MAX_DEPTH = 40              # real payloads nest five layers

NOT_ENDED = frozenset((
    "queued preparing started starting in-progress pending dialing ringing initiated processing ongoing "
    "scheduled running created waiting").split())
FACTS = {                   # fact: fragments of a status or reason that state it
    "voicemail": "voicemail voice-mail machine",
    "no-answer": "no-answer not-answer noanswer unanswered no-pickup",
    "busy": "busy",
    "declined": "declin reject",
    "cancelled": "cancel",
    "expired": "expired",
    "not-called": "registered skipped",
    "failed": "fail not-connected",
}
FACT_FRAGMENTS = [(part, fact) for fact, parts in FACTS.items() for part in parts.split()]
MONTH_FIRST = "us ca ph cn jp kr tw".split()            # 10/11 is October there
YEAR_FIRST = ("zh", "ja", "ko", "hu", "chinese", "mandarin")            # and in these languages


def fold_label(label):
    """One spelling for a label's variants.

    >>> fold_label(" AI_Assistant "), fold_label("**Agent-Action**")
    ('ai assistant', 'agent action')
    """
    return " ".join(label.replace("_", " ").replace("-", " ").strip(" *:").casefold().split())


ROLES = {label: role for role, labels in SPEAKERS.items() for label in labels.split(", ")}
ROLES.update({label.upper(): role for label, role in ROLES.items()})    # "BOT" without folding

# ------------------------------------------------------------------------------------- records: calls


class RecordError(Exception):
    """Input that cannot be audited: `RecordError(what, where)` reads `<what> in <where>`.

    >>> print(RecordError("not an object", "call.json"))
    not an object in call.json
    """

    def __str__(self):
        return " in ".join(map(str, self.args))         # args stay two, so that it survives pickling


class Turn(namedtuple("Turn", "index speaker label text")):
    """What one party says at a stretch: its place in the record, `agent` / `callee` / `other`, the record's
    own label of the speaker, and the words."""
    __slots__ = ()


class Call(namedtuple("Call", "call_id summary turns dates day_first language facts warnings recipients")):
    """One call as the auditor sees it.

    `call_id` and `summary` are text or None, `turns` a list of `Turn`. `dates` holds the local dates on
    which the call can have started, the likeliest first. `facts` maps what the record's own fields say
    ("voicemail", "no-answer", "busy", "declined", "cancelled", "expired", "not-called", "failed", "human") to
    the field that says so. `warnings` may hold "call_not_ended" and "transcript_missing".
    `recipients` holds one `Call` each when a task called several people, else it is empty.
    """
    __slots__ = ()


# ---------------------------------------------------------------------------------------- load: bytes


def load_call_result(path, default_date=None):
    """The `Call` in a JSON file; `-` is standard input.

    `default_date` (a `datetime.date`) counts where the record gives no start time. Whatever is wrong with the
    file or its content raises `RecordError`, and nothing else does.
    """
    where = source_name(path)
    return read_call(parse_record(decode_record(read_bytes(path, where), where), where), where, default_date)


def source_name(path):
    """What an error calls an input."""
    return "standard input" if path == "-" else str(path)


def read_bytes(path, where, watch=None):
    """The content of a file, or of standard input for `-`."""
    return b"".join(read_lines(path, where, watch))


def read_lines(path, where, watch=None):
    """The lines of a file, or of standard input for `-`, as bytes; what is gzipped is unpacked.

    They are read when asked for. `watch` is called with the file as it is opened.
    """
    faults, file = (OSError, ValueError, AttributeError, EOFError), None
    try:
        file = lines = open(path, "rb") if path != "-" else sys.stdin.buffer
        if watch:
            watch(file)
        if getattr(file, "peek", bytes)(2)[:2] == b"\x1f\x8b":
            import gzip
            import zlib
            faults, lines = (*faults, zlib.error), gzip.GzipFile(fileobj=file)
        yield from lines
    except FileNotFoundError:
        raise RecordError("no such file", where) from None
    except faults as problem:                           # a NUL in the path; standard input closed; a cut .gz
        what = f"no readable file ({getattr(problem, 'strerror', None) or problem})"
        if os.path.isdir(path):                         # "permission denied" on Windows
            what = "a directory, no file,"
        elif path == "-" and file is None:
            what = "nothing to read"
        raise RecordError(what, where) from None
    finally:
        if file and path != "-":
            file.close()


def decode_record(content, where):
    """The text of UTF-8 bytes (a byte-order mark is fine), or of UTF-16 with its mark."""
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as problem:
        raise RecordError(f"bytes that are not {encoding.upper()} (at byte {problem.start})", where) from None


def parse_record(text, where, hook=None):
    """The JSON object in a text; anything else raises `RecordError`.

    >>> try: parse_record('{"id":\\n}', "line 7")
    ... except RecordError as problem: print(problem)
    not JSON (line 2, column 1) in line 7
    """
    record = parse_json(text, where, hook)
    if not isinstance(record, dict):
        raise RecordError(f"not an object but {json_type(record)}", where)
    return record


def parse_json(text, where, hook=None):
    """The JSON value in a text, the content of a tool's result as the object that it stands for.

    `hook` makes an object of its pairs, where they are not to stay as they are.
    """
    try:
        value = json.loads(text.lstrip("\ufeff"), object_pairs_hook=hook)
    except RecursionError:
        raise RecordError("nesting too deep", where) from None
    except json.JSONDecodeError as problem:
        hint = "; a record a line needs --jsonl" if problem.msg == "Extra data" and problem.lineno > 1 else ""
        raise RecordError(f"not JSON (line {problem.lineno}, column {problem.colno}{hint})", where) from None
    except ValueError:
        raise RecordError("not JSON (a number with too many digits)", where) from None
    return {"content": value} if isinstance(value, list) and content_object({"content": value}) else value


def renaming(summary_key, transcript_key):
    """A hook for `parse_json`: what stands under the user's own keys gets the names that go first, and no
    text or list under the platforms' names rivals it.

    >>> renaming("notes", None)([("notes", "Booked."), ("summary", "A call.")])
    {'post_summary': 'Booked.'}
    """
    def rename(pairs):
        own = dict(pairs)
        for key, names, rivals in choices:
            found = own.pop(key, None)
            for name in names:
                if isinstance(own.get(name), rivals if found is None else (str, list)):
                    del own[name]
            inside = (value.get(names[0]) for value in own.values() if isinstance(value, dict))
            found = found or own.get(names[0]) or next(filter(None, inside), None)
            if found is not None:                       # carried outwards: an object around it may be unknown
                own[names[0]] = found
        return own

    # a turn has a text of its own, which may stand under "transcript"
    choices = [(summary_key, SUMMARY_KEYS, (str, list)), (transcript_key, TRANSCRIPT_KEYS, list)]
    choices = [choice for choice in choices if choice[0]]
    return rename if choices else None


ARCHIVE_KEYS = "calls results data conversations items".split()


def records_in(value):
    """The records of a JSON list, or of an object that is no call and lists calls; None for one record.

    >>> records_in({"calls": [{"id": 1}, {"summary": "Booked."}]}), records_in({"summary": "Booked."})
    ([{'id': 1}, {'summary': 'Booked.'}], None)
    """
    if isinstance(value, list):
        return value
    if not isinstance(value, dict) or holds_call(value):
        return None
    lists = filter(lambda one: isinstance(one, list), map(value.get, ARCHIVE_KEYS))
    return next((one for one in lists if any(map(holds_call, one))), None)


def holds_call(value):
    """Whether a value is an object with a summary or a transcript in any of its layers."""
    layers = []
    try:
        if isinstance(value, dict):
            open_layers(value, layers, {}, "")
    except RecordError:
        pass
    return any(map(holds_text, layers))


def json_type(value):
    """What a JSON value is, in words: `a number`."""
    return {"str": "a text", "list": "a list", "dict": "an object", "bool": "true or false",
            "NoneType": "null"}.get(type(value).__name__, "a number")


def json_inside(text):
    """The object or list that a text holds; None if it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


# ---------------------------------------------------------------------------------------- load: calls


def read_call(record, where, default_date=None):
    """The `Call` of a parsed record, of whatever platform.

    `where` names the record in errors. Raises `RecordError` if a text field holds something else, or if
    there is neither a summary nor a transcript and no status that says why.

    >>> call = read_call({"id": 7, "summary": "Booked.", "transcript": "BOT: Four?\\nUSER: Yes."}, "a record")
    >>> call.call_id, call.summary, [turn[:3] for turn in call.turns]
    ('7', 'Booked.', [(0, 'agent', 'BOT'), (1, 'callee', 'USER')])
    """
    if not isinstance(record, dict):
        raise RecordError(f"not an object but {json_type(record)}", where)
    layers, fields = [], {}
    open_layers(record, layers, fields, where)
    people = next(filter(None, map(find_people, layers)), [])
    if len(people) > 1:
        call = read_task(layers, fields, people, where, default_date)
    else:
        call = read_party(layers, fields, people, where, default_date)
    if call.summary is None and not call.turns:
        need_texts(layers + people + [part for person in people for part in attempts_of(person)], call, where)
    need_a_call(call, where)
    return call


# characters; words that a value, an answer may begin with
MOST_SUMMARY, MOST_VALUES, MOST_ANSWERS = 50_000, 20_000, 40_000


def need_a_call(call, where):
    """Raise `RecordError` for what is no call but a flood:
    cut short, it would pass what stands behind the cut."""
    if len(call.summary or "") > MOST_SUMMARY:
        raise RecordError(f"a summary of {len(call.summary):,} characters, more than {MOST_SUMMARY:,}", where)
    if sum(len(turn.text) for turn in call.turns) > 2 * MOST_VALUES:
        if not PHRASES:
            build_phrases()
        alone = {word for word, (rows, _) in PHRASES.items() if rows}
        words = [word for turn in call.turns for word in Text(turn.text).words]
        values = sum(word in TRIGGERS or word < ":" for word in words) - len(BEYOND) * len(call.turns)
        answers = sum(map(alone.__contains__, words))
        if values > MOST_VALUES or answers > MOST_ANSWERS:
            raise RecordError(
                f"a transcript with {values:,} numbers and dates and {answers:,} answers is no call", where)


def open_layers(layer, layers, fields, where, depth=0):
    """List every object that may hold the call, innermost first; collect their fields as (key, value).

    >>> layers = []
    >>> open_layers({"jsonrpc": "2.0", "result": {"call": {"id": 1}}}, layers, {}, "")
    >>> [list(layer) for layer in layers]
    [['id'], ['call'], ['jsonrpc', 'result']]
    """
    if depth > MAX_DEPTH:
        raise RecordError("nesting too deep", where)
    own = []
    for key, value in layer.items():
        field = KEYS.get(key)
        if field is None or value is None:
            continue
        if not isinstance(value, dict):
            own.append((field, key, value))
        elif field == "layer":
            open_layers(value, layers, fields, where, depth + 1)
        elif field == "detail":                         # tells about the call, holds none of its texts
            open_layers(value, [], fields, where, depth + 1)
    block = content_object(layer) if isinstance(layer.get("content"), list) else None
    if block:
        open_layers(block, layers, fields, where, depth + 1)
    layers.append(layer)
    for field, key, value in own:
        fields.setdefault(field, []).append((key, value))
    if isinstance(layer.get("final_result"), dict):     # repeats its row: read for what the row lacks
        open_layers(layer["final_result"], layers, fields, where, depth + 1)


def content_object(layer):
    """The object that a tool result holds as text only: the first text block that is one JSON object."""
    if isinstance(layer.get("structuredContent") or layer.get("structured_content"), dict):
        return None
    texts = (block.get("text") for block in layer["content"] if isinstance(block, dict))
    values = (json_inside(text) for text in texts if isinstance(text, str) and text.lstrip()[:1] == "{")
    return next((value for value in values if isinstance(value, dict)), None)


def find_people(layer):
    """The recipients of a call task, if they hold more than an address."""
    people = layer.get("recipients")
    people = [person for person in people if isinstance(person, dict)] if isinstance(people, list) else []
    return people if any("attempts" in person or holds_text(person) for person in people) else []


def holds_text(part):
    """Whether an object has a key for a summary or a transcript, be it empty."""
    return not part.keys().isdisjoint(CALL_KEYS)


def attempts_of(party):
    """The attempts to reach a recipient, in order."""
    attempts = party.get("attempts")
    return [part for part in attempts if isinstance(part, dict)] if isinstance(attempts, list) else []


def read_task(layers, fields, people, where, default_date):
    """A call task with several recipients: its summary over all turns, and each recipient's own call.

    The outer call numbers its turns anew, 0 to n-1, as the recipients' own indices repeat each other. What a
    recipient does not say of date and language, the task does.
    """
    outer = read_party(layers, fields, [], where, default_date)
    calls = []
    for person in people:
        call = read_party([], {}, [person], where)
        calls.append(call._replace(dates=call.dates or outer.dates, language=call.language or outer.language))
    turns = [turn for call in calls for turn in call.turns] or outer.turns
    first = next((call for call in calls if call.turns), calls[0])
    facts = {fact: said for call in (*calls[::-1], outer) for fact, said in call.facts.items()}
    return outer._replace(
        turns=[turn._replace(index=index) for index, turn in enumerate(turns)], dates=first.dates,
        day_first=first.day_first or outer.day_first, language=first.language, facts=facts,
        warnings=tuple(word for word in outer.warnings if word != "transcript_missing" or not turns),
        recipients=tuple(calls))


def read_party(layers, fields, people, where, default_date=None):
    """The call with one party: `layers` tell of the whole, then `people` (one or none), then attempts."""
    attempts = next(filter(None, map(attempts_of, people or layers)), [])
    for part in people + attempts[-1:]:                 # how it ended is told by the last attempt
        open_layers(part, [], fields, where)
    summary, at = read_summary(layers + people + attempts[::-1], where)
    turns = read_attempts(attempts, where) or read_transcript(people + layers, where)
    if turns and at is None:
        summary = read_message(layers)
    region, language = field_text(fields, "region"), field_text(fields, "language").replace("_", "-")
    dates = read_dates(attempts, fields)
    facts, running = read_facts(fields)
    return Call(read_id(layers or people, at), summary, turns,
                dates or ((default_date,) if default_date else ()),
                is_day_first(language, region), language or None, facts,
                ("call_not_ended",) * running + ("transcript_missing",) * (not turns), ())


def read_summary(parts, where):
    """(summary, the place in `parts` it was found at): `post_summary` anywhere, then the other names.

    An empty one hides nothing: the next is taken. The place is None where there is no such key at all.
    """
    found_at = None
    for keys in (SUMMARY_KEYS[:2], SUMMARY_KEYS[2:]):
        for at, part in enumerate(parts):
            for key in keys:
                if key in part:
                    value = part[key]
                    if isinstance(value, dict):         # {"overview": …, "short_summary": …}
                        value = next((value[name] for name in SUMMARY_KEYS if value.get(name)), None)
                    if value is not None and not isinstance(value, str):
                        raise RecordError(f"{json_type(value)} where text belongs ({key})", where)
                    if value and not value.isspace():
                        return value, at
                    found_at = at if found_at is None else found_at
    return None, found_at


def read_message(layers):
    """A `message` as the last resort for a summary, unless it is the status line of a run."""
    for layer in layers:
        text = layer.get("message")
        if isinstance(text, str) and not STATUS_LINE.issuperset(pattern(r"\w+").findall(text.lower())):
            return text
    return None


def read_id(layers, at):
    """The call's id as text: `call_id` anywhere, else an id of the object at that place or around it."""
    at = at if at and at < len(layers) else 0
    for keys in (ID_KEYS[:1], ID_KEYS):
        for layer in layers[at:] + layers[:at]:         # outwards, then what lies further in
            if "jsonrpc" not in layer:                  # its id is the request's
                for key in keys:
                    value = layer.get(key)
                    if value and type(value) is str:
                        return value
                    if type(value) in (int, float) and 0 < abs(value) < 1e99:
                        return repr(value)
    return None


def need_texts(parts, call, where):
    """Raise unless a key for a text is there, if an empty one, or a status says why there is no text."""
    if any(map(holds_text, parts)) or "call_not_ended" in call.warnings or call.facts.keys() - {"human"}:
        return
    names = ", ".join(SUMMARY_KEYS[:1] + SUMMARY_KEYS[2:4] + TRANSCRIPT_KEYS[:2] + ["turns", "messages"])
    raise RecordError(f"neither summary nor transcript (looked for {names} and the like)", where)


def field_text(fields, field):
    """The first text of a field, lower-cased; empty if it says nothing."""
    for _, value in fields.get(field, ()):
        if isinstance(value, str) and value.strip().lower() not in ("", "auto", "multi", "und", "unknown"):
            return value.strip().lower()
    return ""


def read_facts(fields):
    """({fact: the field that says so}, whether the call still runs), from statuses and reasons.

    >>> read_facts({"status": [("status", "NO ANSWER")], "reason": [("answered_by", "human")]})
    ({'no-answer': 'status=NO ANSWER', 'human': 'answered_by=human'}, False)
    """
    facts, running = {}, False
    for key, value in fields.get("status", []) + fields.get("reason", []):
        if value is True and key == "in_voicemail":
            facts["voicemail"] = "in_voicemail=true"
        if not isinstance(value, str):
            continue
        folded = value.strip().lower().replace("_", "-").replace(" ", "-")
        if folded in NOT_ENDED:
            running = True
        elif folded == "human":
            facts[folded] = f"{key}={value}"
        elif folded not in ("completed", "ended", "done", "finished") and len(folded) < 50:     # no prose
            for fragment, fact in FACT_FRAGMENTS:
                if fragment in folded and fact not in facts:
                    facts[fact] = f"{key}={value}"
    return facts, running


# ---------------------------------------------------------------------------------------- load: dates


def is_day_first(language, region):
    """Whether 10/11 is a day and a month here.

    >>> is_day_first("en-gb", ""), is_day_first("de", ""), is_day_first("english", "au")
    (True, True, True)
    >>> is_day_first("en-us", "gb"), is_day_first("en", "")
    (False, False)
    """
    if not language and not region:
        return False
    head, *rest = language.replace(".", "-").split("-")
    region = next((part for part in rest if len(part) == 2), region)
    if region in MONTH_FIRST or head.startswith(YEAR_FIRST):
        return False
    return region != "" or not head.startswith("en")


def read_dates(attempts, fields):
    """The local dates on which the call can have started, the likeliest first."""
    spoken = [part for part in attempts if part.get("transcript_turns") or part.get("transcriptTurns")]
    times = [part.get("started_at") or part.get("startedAt") for part in spoken + attempts]
    times += [value for _, value in fields.get("start", ())]
    for _, entries in fields.get("items", ()):
        if isinstance(entries, list) and entries and isinstance(entries[0], dict):
            times += map(entries[0].get, ("call_start_time", "ts", "created_at"))
    times += [value for _, value in fields.get("created", ())]
    zone = next((value for _, value in fields.get("zone", ()) if isinstance(value, str)), None)
    for time in times:
        dates = local_dates(time, zone)
        if dates:
            return dates
    return ()


def local_dates(time, zone=None):
    """The local dates of one moment, ISO text or seconds or milliseconds since 1970; () if it is none.

    An offset or a time zone makes the date exact. Bare UTC leaves a neighbour where the hour allows it:
    nobody is called at night, so before 8 it can be the day before (in America),
    from 18 the day after (in Australia).

    >>> [str(day) for day in local_dates("2026-10-14T02:30:00Z")]
    ['2026-10-14', '2026-10-13']
    >>> [str(day) for day in local_dates("2026-10-13T21:30:00-05:00")]
    ['2026-10-13']
    """
    moment = read_moment(time)
    if moment is None:
        return ()
    import datetime
    day, second, offset = moment
    if zone and offset is not None:
        try:
            from zoneinfo import ZoneInfo
            utc = datetime.datetime.fromordinal(day).replace(tzinfo=datetime.timezone.utc)
            utc += datetime.timedelta(seconds=second - offset)
            return (utc.astimezone(ZoneInfo(zone)).date(),)
        except Exception:   # no zone data (Windows), a directory or nothing by that name, a broken zone file
            pass
    days = [day]
    if offset == 0 and not str(time).endswith("0:00"):  # +00:00 is an offset; Z, UTC and an epoch are none
        days += [day - 1] * (second < 8 * 3600) + [day + 1] * (second >= 18 * 3600)
    return tuple(map(datetime.date.fromordinal, days))


def read_moment(time):
    """(day's ordinal, second of the day, offset from UTC in seconds or None) of a start time, or None."""
    if isinstance(time, str) and time[4:5] == "-" == time[7:8]:
        return read_iso(time)
    if isinstance(time, str) and time.isdecimal() and len(time) < 18:
        time = int(time)
    if type(time) not in (int, float) or not 1e8 < time < 1e17:         # no NaN, nothing before 1973
        return None
    while time > 1e11:                                  # milli- or microseconds
        time /= 1000
    return 719163 + int(time // 86400), int(time % 86400), 0            # the ordinal of 1970-01-01


def read_iso(time):
    """`read_moment` of ISO text, by slices: `datetime.fromisoformat` takes no Z before Python 3.11."""
    import datetime
    try:
        day = datetime.date.fromisoformat(time[:10]).toordinal()
        second = int(time[11:13] or 0) * 3600 + int(time[14:16] or 0) * 60
        sign, offset = max(time.rfind("+", 16), time.rfind("-", 16)), None
        if sign > 0:
            digits = time[sign + 1:].replace(":", "")
            offset = int(digits[:2]) * 3600 + int(digits[2:4] or 0) * 60
            offset = -offset if time[sign] == "-" else offset
        elif time[-1] in "ZzC":                         # "UTC"
            offset = 0
    except ValueError:
        return None
    return (day, second, offset) if 600000 < day < 3000000 and 0 <= second < 90000 else None


# ---------------------------------------------------------------------------------------- load: turns


def read_attempts(attempts, where):
    """Turns of all attempts in order; an index goes on counting where the attempt before ended."""
    turns, base = [], 0
    for attempt in attempts:
        part = read_transcript([attempt], where)
        turns += [turn._replace(index=turn.index + base) for turn in part] if base else part
        items = attempt.get("transcript_turns") or attempt.get("transcriptTurns")
        base = base + len(items) if isinstance(items, list) else turns[-1].index + 1 if part else base
    return turns


def read_transcript(layers, where):
    """Turns of the first layer that has any: of its lists first, then of its texts.

    One call often comes two to four times in a payload; only one copy is read.
    """
    for layer in layers:
        texts = []
        for key in TRANSCRIPT_KEYS:
            value = layer.get(key)
            if value is None or value == "":
                continue
            if isinstance(value, dict):
                value = next((value[name] for name in TURN_LISTS if isinstance(value.get(name), list)), [])
            if isinstance(value, list):
                turns = read_items(value, key, where)
                if turns:
                    return turns
            elif type(value) is str:
                texts.append(value)
            elif "transcript" in key:                   # elsewhere a number is a count: "messages": 12
                raise RecordError(f"{json_type(value)} where text belongs ({key})", where)
        for text in texts:
            turns = read_text(text, where)
            if turns:
                return turns
    return []


def read_items(items, key, where):
    """Turns of a list of objects; what is no object, no speech or has no words is passed over.

    >>> read_items([{"speaker": "BOT", "text": "Hi"}, 5, {"role": "tool", "content": "{}"}], "turns", "")
    [Turn(index=0, speaker='agent', label='BOT', text='Hi')]
    """
    rows = []
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            continue
        label, text = item.get("speaker"), item.get("text")
        if type(label) is not str or not label:
            label = item_label(item)
        role = ROLES.get(label) or role_of(label) or "other"
        kind = item.get("type")
        if role == "drop" or isinstance(kind, str) and role_of(kind) == "drop":
            continue
        if type(text) is not str or not text:
            text = item_text(item, f"{key}[{index}]", where)
        if text and not text.isspace():
            rows.append((index, role, label, text))
    if not rows and len(items) == 1 and isinstance(items[0], dict) and type(items[0].get("ts")) is str:
        return read_text(items[0]["ts"], where)         # CALL-E's batch runner keeps an unmarked text there
    return name_roles(rows)


def item_label(item):
    """A turn's label as the record has it; empty if it has none."""
    for key in SPEAKER_KEYS:
        value = item.get(key)
        if isinstance(value, dict):                     # {"identifier": …, "name": …}
            value = value.get("name")
        if type(value) in (str, int) and value != "":
            return value if type(value) is str else repr(value)
    return ""


def item_text(item, key, where):
    """A turn's words, under whichever key and however packed; None if it has none."""
    for name in TEXT_KEYS:
        value = item.get(name)
        if isinstance(value, (str, list, dict)):
            text = joined_text(value)
            if text:
                return text
        elif value is not None:
            raise RecordError(f"{json_type(value)} where text belongs ({key}.{name})", where)
    return None


def joined_text(value, depth=4):
    """The words of a content list, of its text objects, of a list of sentences.

    >>> joined_text(["One moment.", {"type": "text", "text": "Yes."}, {"type": "image"}])
    'One moment. Yes.'
    """
    if isinstance(value, list) and depth:
        return " ".join(filter(None, [joined_text(part, depth - 1) for part in value]))
    if isinstance(value, dict) and depth:
        return joined_text(value.get("text") or value.get("parts") or value.get("transcript"), depth - 1)
    return value if isinstance(value, str) else ""


def role_of(label):
    """The role a label names: `agent`, `callee`, `other`, or `drop` for what is no speech; None if unknown.

    >>> [role_of(label) for label in ("AI Assistant", "User 2", "Maya (agent)", "Maya", "tool_calls")]
    ['agent', 'callee', 'agent', None, 'drop']
    """
    return ROLES.get(label) or known_role(label[:60])


@lru_cache(maxsize=256)
def known_role(label):
    """The role of a label in any spelling, with a number or with a name beside it."""
    folded = fold_label(label)
    head, _, inner = folded.partition("(")
    return (ROLES.get(folded) or ROLES.get(folded.rstrip(" #0123456789"))
            or ROLES.get(head.strip()) or ROLES.get(inner.strip(" )")))


def name_roles(rows):
    """`Turn`s of (index, role, label, text) rows, with a role for the one label that no table knows.

    Beside a known agent the only other label is the callee; beside a known callee the only unknown one is the
    agent; where nobody has a label, the one voice is the agent's.
    """
    roles = {row[1] for row in rows}
    if "other" in roles:
        strange = {fold_label(row[2]) for row in rows if row[1] == "other"}
        label, role = strange.pop(), None
        if not strange and roles == {"other"} and not label:
            role = "agent"
        elif not strange and label and roles == {"agent", "other"}:
            role = "callee"
        elif not strange and label and roles == {"callee", "other"} and label not in ROLES:
            role = "agent"
        if role:
            rows = [(row[0], role, *row[2:]) if row[1] == "other" else row for row in rows]
    return list(map(tuple.__new__, repeat(Turn), rows))                 # twice as fast as Turn(...)


# ---------------------------------------------------------------------------------------- load: texts

TIME = r"\d{1,3}:\d\d(?::\d\d)?(?:[.,]\d{1,6})?"
TIME_MARK = (r"\[\d{1,3}:[\d:.,> –-]{2,30}\]"                         # [00:00:04], [0:04.5 - 0:07.1]
             r"\s{0,4}(?:([^\[\]:\n]{1,40}):)?")
LABEL = (r"(?:(?:Dr|Mrs?|Ms)\. )?[^\W\d_][^\[\]().!?…,;:\n]{0,39}"      # within one sentence, with no colon
         r"(?:\([^()\n:]{1,20}\))?")                                    # "Maya (agent)"
LINE_MARK = (rf"([\n.!?…])[ \t>*_•-]{{0,6}}(?:\(?{TIME}\)?[ \t-]{{0,3}})?({LABEL})"
             rf"(?:[\[(]{TIME}[\])][ *_]{{0,3}})?:[*_]{{0,2}}(?:\s?\[{TIME}\])?")
CUE_TIMES = r"\n(?:\d{1,6}[ \t]*\n)?[ \t]*\d[\d:.,]{3,14} --> [^\n]*"   # WebVTT and SRT
CUE_VOICE = r"<v(?:\.[\w.]{1,20})? ([^<>\n]{1,40})>"


def read_text(text, where):
    """Turns of a transcript that is one text; without any speakers it is one turn of the agent.

    >>> for turn in read_text("[00:04] BOT: Is 7:45 fine? [00:09] USER: Note: no later.", ""):
    ...     print(*turn, sep="|")
    0|agent|BOT|Is 7:45 fine?
    1|callee|USER|Note: no later.
    """
    head = text[:80].lstrip()
    if head[:1] in ("[", "{") and '"' in head:          # Millis keeps its messages as JSON in a text
        value = json_inside(text)
        if isinstance(value, (list, dict)):
            return read_transcript([{"transcript": value}], where)
    rows = [(index, ROLES.get(label) or role_of(label) or "other", label, words.strip())
            for index, (label, words) in enumerate(split_text(text))]
    return name_roles([row for row in rows if row[3] and row[1] != "drop"])


def split_text(text):
    """(label, words) of each turn: they begin at a time in brackets, and at a label that opens a line."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if " --> " in text:
        text = pattern(CUE_TIMES).sub("\n", "\n" + text).replace("</v>", "")
        text = pattern(CUE_VOICE).sub(r"\n\1: ", text)
    pieces = pattern(TIME_MARK).split(text) if "[" in text else [text]
    labels = pieces[1::2]
    pairs = list(zip(labels, pieces[2::2]))
    if not ROLES.keys() >= set(labels):
        pairs = mend_labels(pairs)
    if not pairs or not pairs[-1][0]:                   # nowhere a label after a time
        return split_lines(text)[1:] or (pairs if not pieces[0].strip() else []) or [("", text)]
    if pieces[0].strip() or text.count("\n") >= len(pairs):             # some turns have no time
        pairs = split_lines(pieces[0], True)[1:] + [
            (own or label, words) for label, said in pairs for own, words in split_lines(said, True)]
    return pairs


def mend_labels(pairs):
    """The pairs with each unknown label checked; what is none goes back to the words, said by the one before.

    >>> mend_labels([("BOT", " Now? "), ("At 7", "45, "), (None, "please.")])
    [('BOT', ' Now? '), ('BOT', 'At 7:45, '), ('BOT', 'please.')]
    """
    mended, last = [], ""
    for label, words in pairs:
        if label and label not in ROLES and not role_of(label) and not is_name(label, words[:1]):
            label, words = None, f"{label}:{words}"
        last = label or last
        mended.append((last, words))
    return mended


def split_lines(text, timed=False):
    """(label, words) of each turn whose label opens a line; first of all the words before, under no label.

    An unknown label must look like a name, and stand beside a known one or twice; among times it is part of
    what is said.
    """
    found, names, known = [], {}, False
    for m in pattern(LINE_MARK).finditer("\n" + text):
        opening, label = m.groups()
        begin, end = m.span()
        label = label.strip(" *_")
        if opening != "\n" and fold_label(label) not in INLINE_LABELS:
            continue
        if role_of(label):
            known = True
        elif not timed and is_name(label, text[end - 1:end]):
            names[label] = names.get(label, 0) + 1
        else:
            continue
        found.append((begin - 1 if opening == "\n" and begin else begin, end - 1, label))
    if not known:
        found = [mark for mark in found if names[mark[2]] > 1]
    begins = [begin for begin, _, _ in found] + [len(text)]
    return [("", text[:begins[0]])] + [
        (label, text[end:until]) for (_, end, label), until in zip(found, begins[1:])]


@lru_cache(maxsize=256)
def is_name(label, following):
    """Whether an unknown label can be a speaker's: up to three capitalised words, and no digit following.

    >>> is_name("Maya Ortiz", " "), is_name("Note", " "), is_name("At 7", "4"), is_name("I said", " ")
    (True, False, False, False)
    """
    parts = label.split()
    return (0 < len(parts) <= 3 and parts[0].casefold() not in NO_LABELS and not following.isdecimal()
            and all(part[0].isupper() or part[0].isdecimal() or part[0] == "(" for part in parts))


# ----------------------------------------------------------------------------------------------- mask

DIGIT_NAMES = "zero one two three four five six seven eight nine".split()
DIGIT_NAME = rf"(?:oh|o|{'|'.join(DIGIT_NAMES)})(?![a-z])"
REPEAT = "(?:double|triple|treble)"
DIGIT_WORD = f"(?:{REPEAT}[ -])?{DIGIT_NAME}"
SEPARATOR = "(?:\r\n|[ \xa0.,/\\-+\n\r\t\u2007\u2009\u202f" + DASHES + ZERO_WIDTH + "])"
JOINT = rf"(?: ?\(|\)(?: \(|{SEPARATOR})?|{SEPARATOR})"     # " (", ") ": a bracket's space belongs to it
DIGIT_RUN = rf"[(+]*\d(?:{JOINT}?\d){{6,}}"
SEVEN_DIGITS = r"[0-9](?:\W{0,3}[0-9]){6}"  # what every run holds; quicker to look for than the run itself
SPELLED_RUN = (rf"(?<![a-z])(?:\d|{DIGIT_WORD})(?:{JOINT}?\d|(?:(?<=[a-z]), ?|{JOINT}){DIGIT_WORD}"
               rf"|(?<=[a-z]), ?\d|(?<=\d \d), \d(?= \d)){{3,}}")   # "five five, 5", "5 5 5, 0 1 3 8"
# behind these stand the last digits of a number that is masked already, or a phone's first
PHONE_SIGNS = ("#", "*", "+")
CALENDAR_DATE = (
    r"(?:(?P<y>(?:19|20)\d\d)[-/.](?P<a>\d\d?)[-/.](?P<b>\d\d?)|(?P<c>\d\d?)[-/.](?P<d>\d\d?)[-/.]"
    r"(?:19|20)\d\d)(?: \d{1,2}(?=:\d|\d\d ?[ap]\.?m| ?[ap]\.?m))?")
AMOUNT = r"\d{1,3}(?:,\d{3})+(?:\.\d\d?)?"
CURRENCY_SIGN = "[$\xa3\xa4\xa5\xa6\u20a9]"     # of a folded text: \xa4 and \xa6 are the euro and the rupee


def mask_pii(text):
    """Put # for phone and account numbers, typed or spelled:
    runs of 7 digits or more, all but two characters.

    The text keeps its length. A valid calendar date with an optional clock time stays, and an amount with a
    currency sign and its thousands in threes. Source: design section 4.

    >>> mask_pii("Ring +1 (555) 555-0142 by 2026-10-14 about the $1,250,000.00.")
    'Ring ###############42 by 2026-10-14 about the $1,250,000.00.'
    >>> mask_pii("four one five, five five five, oh one nine six")
    '############################################ix'
    >>> mask_pii("rooms 101, 102, 103 on October 14, 2026, 2 p.m.")
    'rooms 101, 102, 103 on October 14, 2026, 2 p.m.'
    """
    low = text.lower() if text.isascii() else "".join(
        c if c in ZERO_WIDTH or c in DASHES or c.isspace() else FOLDING[ord(c)] for c in text)
    spans = [m.span() for m in pattern(DIGIT_RUN).finditer(low) if not exempt(low, m)] \
        if pattern(SEVEN_DIGITS).search(low) else []
    if says_digits(low):
        spans += [m.span() for m in pattern(SPELLED_RUN).finditer(low)
                  if spelled_digits(pattern(CALENDAR_DATE + "(?![0-9])").sub("", m.group())) > 6]
    if not spans:
        return text
    pieces, done = [], 0
    for start, end in sorted(spans):
        if end > done:
            start = max(start, done)
            pieces += text[done:start], "#" * (end - start - 2), text[max(start, end - 2):end]
            done = end
    return "".join(pieces) + text[done:]


NEXT_DIGIT = rf"[ ,-](?:{DIGIT_NAME}|{REPEAT}(?![a-z])|[0-9])"
DIGIT_ENDS = ("oh", "o", *DIGIT_NAMES)
ASCII_DIGITS = tuple("0123456789")


def says_digits(low):
    """Do two digits, one of them spelled, stand side by side?
    Without such a pair there is no spelled number."""
    for m in pattern(NEXT_DIGIT).finditer(low):
        before = low[max(0, m.start() - 12):m.start()].rstrip(" ,-")
        if before.endswith(DIGIT_ENDS) \
                or before.endswith(ASCII_DIGITS) and low[m.end() - 1] not in ASCII_DIGITS:
            return True
    return bool(pattern(r"[0-9] [0-9], [0-9] [0-9]").search(low))


def exempt(low, run):
    """Is this run of digits one of the two shapes that are no phone number?"""
    date = pattern(CALENDAR_DATE).match(low, run.start())
    if date and date.end() >= run.end():
        month, day = sorted(int(part) for part in date.group("a", "b", "c", "d") if part)
        first, second = [int(part) for part in date.group("a", "b", "c", "d") if part]
        orders = [(first, second)] + ([] if date["y"] else [(second, first)])
        leap = pattern(r"(?:19|20)\d\d").search(date.group())
        leap = leap and (int(leap.group()) % 4 or int(leap.group()) == 1900)
        return any(0 < month < 13 and 0 < day <= MONTH_DAYS[month - 1] - bool(leap and month == 2)
                   for month, day in orders)
    return bool(pattern(AMOUNT).fullmatch(run.group())
                and pattern(CURRENCY_SIGN + " ?$").search(low[max(0, run.start() - 2):run.start()]))


def spelled_digits(run):
    """How many digits a spelled run says: "double five oh 1" is four."""
    return sum(REPEATS.get(word, 1) - (word in REPEATS) for word in pattern("[a-z]+|[0-9]").findall(run))


# -------------------------------------------------------------------------------------- scan: numbers

Number = namedtuple("Number", "text value first last")      # a cardinal: decimal text, its value, its words
TYPED = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d{1,2}|\.\d+)?)(k?)"


def plain(value):
    """A number as plain decimal text: 45, 2.5, 1200."""
    return str(int(value)) if value == int(value) else f"{value:.4f}".rstrip("0")


def key_of(text):
    """The form in which decimal texts are compared: only trailing zeros fall, a code keeps its leading ones.

    >>> key_of("45.00"), key_of("2.50"), key_of("1200"), key_of("0642")
    ('45', '2.5', '1200', '0642')
    """
    return text.rstrip("0").rstrip(".") if "." in text else text


def read_below_hundred(text, i):
    """(value, end) of "seven", "nineteen", "forty", "forty-two", or None."""
    value = CARDINALS.get(text.words[i])
    if value and value > 19 and text.linked(i + 1) and 0 < CARDINALS.get(text.words[i + 1], 0) < 10:
        return value + CARDINALS[text.words[i + 1]], i + 2
    return None if value is None else (value, i + 1)


def read_group(text, i):
    """(value, end) of what may stand before a scale:
    up to 9,900 in "ninety-nine hundred", typed numbers too."""
    word = text.words[i]
    if word in ("a", "an", "another") and text.linked(i + 1) \
            and (text.words[i + 1] in SCALES or text.words[i + 1] in COLLECTIVES):
        part = 1, i + 1
    elif word == "half" and text.words[i + 1:i + 3] == ["a", "dozen"]:
        return 6, i + 3
    elif word == "couple" and text.words[i + 1] == "of" and text.words[i + 2] in UNITS:
        return 2, i + 2                                     # "Pads only, couple of hours."
    elif word.isdecimal():
        part = int(word), i + 1
    else:
        part = read_below_hundred(text, i)
    if not part or not text.linked(part[1]):
        return part
    value, i = part
    if text.words[i] in COLLECTIVES:
        return value * COLLECTIVES[text.words[i]], i + 1 + (text.words[i + 1] == "of")
    if text.words[i] == "hundred" and 0 < value < 100:
        value, i = value * 100, i + 1
        rest = text.linked(i) and read_below_hundred(text, i + (text.words[i] == "and"))
        if rest and rest[0] and not (text.words[i] == "and" and (
                text.words[rest[1]] == "hundred" or text.words[rest[1]] in CARDINALS)):
            value, i = value + rest[0], rest[1]
    return value, i


def read_whole(text, i):
    """(value, end) of a whole number with its scales in falling order:
    "two thousand and five", "3 million"."""
    total, floor, group = 0, 10 ** 15, read_group(text, i)
    while group:
        value, i = group
        scale = SCALES.get(text.words[i], 0) if text.linked(i) else 0
        if not 100 < scale < floor or text.words[i] == "k" and not text.words[i - 1].isdecimal():
            return total + value, i
        total, floor, i = total + value * scale, scale, i + 1
        joined = text.linked(i) and text.words[i] == "and"
        # "four thousand, one hundred and fifty"
        comma = text.gaps[i] == ", " and text.words[i + 1] == "hundred"
        group = read_group(text, i + joined) if text.linked(i + joined) or comma else None
        if group and (group[0] >= floor or not group[0] or text.words[i + joined] in ("a", "half")):
            group = None
    return (total, i) if total else None


def read_digits(text, i):
    """Digits said one by one from word i on, as (digits, end): "oh five", "double two", "2 0 9 3"."""
    said, words = "", text.words
    while not said or text.linked(i):
        times = REPEATS.get(words[i], 1)
        digit = words[i + 1] if times > 1 and text.linked(i + 1) else words[i]
        value = str(CARDINALS.get(digit, digit))
        if not value.isdecimal() or len(value) > 1 and said:
            break
        said, i = said + value * times, i + 1 + (times > 1)
    return (said, i) if said else None


def read_fraction(text, i):
    """(value, end) of "and a half", "and three quarters" from word i on, or None."""
    words = text.words
    if words[i] != "and" or not text.linked(i):
        return None
    if words[i + 1] in ("a", "one") and words[i + 2] in FRACTIONS:
        return FRACTIONS[words[i + 2]], i + 3
    if words[i + 1:i + 3] == ["three", "quarters"]:
        return .75, i + 3
    return None


# behind these a typed number has another part
GOES_ON = frozenset(SCALES) | frozenset(COLLECTIVES) | {"and", "point"}


def read_cardinal(text, i):
    """The number that begins at word i, typed or spelled, or None.

    >>> [read_cardinal(Text(said), 0).text for said in ("a hundred and five", "twenty-two hundred", "45.50",
    ...  "three point oh five", "two and a half thousand", "half a dozen", "1.5k", "forty two", "1,200")]
    ['105', '2200', '45.50', '3.05', '2500', '6', '1500', '42', '1200']
    """
    word, digits = text.words[i], None
    if word.isdecimal() and (text.gaps[i + 1] not in LINKS or text.words[i + 1] not in GOES_ON):
        return None if text.gaps[i][-1:] in PHONE_SIGNS or "*" in text.gaps[i + 1] or len(word) > 15 \
            else Number(word, int(word), i, i + 1)
    if word[:1].isdecimal() and not word.isdecimal():
        typed = pattern(TYPED).fullmatch(word)
        if not typed:
            return None
        digits = typed[1].replace(",", "") if pattern(r"\d{1,3}(,\d{3})+(\.\d+)?").fullmatch(typed[1]) \
            else typed[1].replace(",", ".")
        value, end = (float(digits) if "." in digits else int(digits)) * (1000 if typed[2] else 1), i + 1
        digits = None if typed[2] else digits
        if text.linked(end) and text.words[end] in SCALES:
            value, end, digits = value * SCALES[text.words[end]], end + 1, None
    else:
        whole = read_whole(text, i) if word != "point" else (0, i)
        if not whole:
            return None
        value, end = whole
        digits = word if end == i + 1 and word.isdecimal() else None
        if text.linked(end) and text.words[end] == "point" and text.linked(end + 1):
            tail = read_digits(text, end + 1)
            if tail:
                digits, end = f"{value}.{tail[0]}", tail[1]
                value = float(digits)
                if text.linked(end) and SCALES.get(text.words[end], 0) > 100 \
                        and (value > 1 or text.words[end] != "mil"):
                    value, end, digits = value * SCALES[text.words[end]], end + 1, None
        if end == i:
            return None                                     # "point" with no digit behind it
    if text.gaps[i][-1:] in PHONE_SIGNS or "*" in text.gaps[end] or value > 10 ** 15:
        return None
    fraction = read_fraction(text, end)
    if fraction:
        value, end, digits = value + fraction[0], fraction[1], None
        if text.linked(end) and text.words[end] in SCALES:
            value, end = value * SCALES[text.words[end]], end + 1
    return Number(digits or plain(value), value, i, end)


def read_numbers(text, i):
    """The cardinals said side by side from word i on:
    "six forty-two" is [6, 42], "nine double two" [9, 2, 2]."""
    found = text.cache.get(i)
    if found is not None:
        return found
    found, j = [], i
    while len(found) < 12 and (j == i or text.linked(j)):
        times = REPEATS.get(text.words[j], 1) if text.linked(j + 1) else 1
        if found and text.words[j] in ("a", "an"):
            break                                           # "sixty-four a dozen"
        if found and text.words[j] in ("oh", "o"):
            one = Number("0", 0, j, j + 1)
        else:
            one = read_cardinal(text, j + (times > 1))
        if not one or times > 1 and len(one.text) > 1 or found and one.value == 1 and found[-1].value > 9 \
                or found and (text.gaps[i][-1:] in CURRENCIES or "." in one.text + found[-1].text
                              or (text.words[j] < ":") != (text.words[found[-1].first] < ":")
                              and max(len(one.text), len(found[-1].text)) > 2):
            break                                           # "three 1500-watt heaters" is no 31500
        found += [one] * times
        j = one.last
    text.cache[i] = found
    return found


def readings_of(numbers):
    """What numbers said side by side can mean together, as {key: rule}.

    >>> said = lambda words: list(readings_of(read_numbers(Text(words), 0)))
    >>> said("forty five"), said("two fifty"), said("two oh nine three"), said("eighteen oh five")
    (['45'], ['250', '2.5'], ['2093'], ['1805', '18.05'])
    """
    if len(numbers) == 1:
        return {key_of(numbers[0].text): None}
    texts = [number.text for number in numbers]
    joined, tail = "".join(texts), "".join(texts[1:])
    if len(tail) == 2 and (len(texts) == 2 or texts[1] == "0") and texts[0] != "0" and len(texts[0]) < 4:
        return {joined: "ambiguous_reading", key_of(texts[0] + "." + tail): "ambiguous_reading"}
    # "three fifty-six sixty", "two oh one sixty" of money
    whole = "".join(texts[:-1])
    if len(texts[-1]) == 2 and len(whole) == 3 and len(texts[0]) == 1 and texts[0] != "0":
        return {joined: None, key_of(whole + "." + texts[-1]): "ambiguous_reading"}
    return {joined: None}


def unit_after(text, i):
    """The unit that the words from i on give a number, as (unit, end), or (None, i).

    A known unit may stand behind two more words of the phrase ("two round trip tickets"); a plural that is in
    no table makes a THING.
    """
    words, unit, end = text.words, None, i
    for j in range(i, min(i + 3, text.size)):
        word = words[j]
        if not text.linked(j) or word in FUNCTION_WORDS or word in NOT_UNITS or word in NUMBER_WORDS \
                or word in RATES or word in MERIDIEMS or word in DETERMINERS or word < ":" \
                    or words[j + 1:j + 3] == ["to", word]:
            break                                           # "49 month to month" counts no months
        if words[j + 1] in ("is", "are", "cost", "costs") and words[i - 2] in ("is", "are", "cost", "costs"):
            return None, i                                  # "pants is eighteen jacket sleeves is thirty two"
        if word in UNITS and word != "second" and (j == i or word not in ("m", "g")):
            return UNITS[word], j + 1
        if len(word) > 3 and word.endswith("s") and not word.endswith("ss") and not unit:
            unit, end = THING, j + 1
    return unit, end


def unit_before(text, i):
    """The unit that stands before a number: a party of 4, room 204, order number 48213."""
    words = text.words
    if words[i - 2:i] in (["party", "of"], ["group", "of"], ["table", "for"]):
        return "person"
    j = i - 1 - (words[i - 1] in ("is", "number", "no", "of") and i > 1
                 and not (words[i - 1] == "is" and words[i + 1] in RANGE_WORDS))
    if words[i - 1] == "seat" and i > 1 and words[i - 2] in MODALS:
        return "person"                                     # "will seat two"
    return CODE if i and (words[i - 1] in CODE_LABELS or words[j] in CODE_LABELS) and words[i - 1] != "of" \
        and (words[i - 1] != "no" or text.gaps[i][:1] == "." and words[i] < ":") \
        and not (text.gaps[i][:1] == "," and words[i + 1] in SCALES) else None


def rate_after(text, i):
    """What an amount that ends before word i is for, "total", "each", "night"…, or None;
    and the end of those words."""
    words = text.words
    if text.gaps[i] in SOFT:
        if words[i] in RATES and text.linked(i):
            if RATES[words[i]]:
                return RATES[words[i]], i + 1
            if text.linked(i + 1) and len(words[i + 1]) > 2:
                return UNITS.get(words[i + 1], words[i + 1]), i + 2
        j = i + 1 if words[i] in ("in", "all") else i
        if words[j] in TOTALS:
            return "total", j + 1
    return None, i


def read_cents(text, i):
    """(cents, end) behind "thirty dollars": "fifteen", "and fifty cents"."""
    joined = text.words[i] == "and"
    if not text.linked(i) or joined and not text.linked(i + 1):
        return None
    part = read_cardinal(text, i + joined) if text.words[i + joined] not in ("a", "an", "half") else None
    if not part or part.value != int(part.value) or not 0 < part.value < 100:
        return None
    said = text.linked(part.last) and text.words[part.last] in CENTS
    if said or not joined and part.value > 9 and unit_after(text, part.last)[0] is None:
        return int(part.value), part.last + said
    return None


def equal_amounts(keys, value, unit):
    """Add the key under which equal amounts in other units meet: 48 hours and two days."""
    dimension, size = UNIT_SIZES.get(unit, (None, 1))
    if dimension not in (None, unit):
        keys["=" + dimension + plain(value * size)] = "unit_conversion"


def read_quantity(text, i):
    """Numbers with what they count, and bare ones; canonical is the plain decimal text.

    >>> explain("$45, 45 dollars, 1,200 guests, party of four, thirty dollars fifteen, sixty cents",
    ...         read_number)
    $45 -> 45 usd
    45 dollars -> 45 usd
    1,200 guests -> 1200 person
    four -> 4 person
    thirty dollars fifteen -> 30.15 usd
    sixty cents -> 0.60 usd
    >>> explain("two fifty each, fifteen percent, two and a half grand, an order of a dozen", read_number)
    two fifty each -> 2.50
    fifteen percent -> 15 percent
    two and a half grand -> 2500
    a dozen -> 12
    """
    numbers = read_numbers(text, i)
    if not numbers or is_idiom(text, i, numbers):
        return None
    words, first, end, per = text.words, i, numbers[-1].last, None
    keys, value = readings_of(numbers), numbers[0].value
    shown, unit = numbers[0].text if len(numbers) == 1 else next(iter(keys)), None
    if text.gaps[i][-1:] in CURRENCIES:
        unit = CURRENCIES[text.gaps[i][-1:]]
    elif i and words[i - 1] in CURRENCY_CODES and text.linked(i):
        unit, first = CURRENCIES[words[i - 1]], i - 1
    tail = words[end] if text.gaps[end] in LINKS else ""
    if tail in CURRENCIES and tail != "won":
        unit, end = CURRENCIES[tail], end + 1
        cents = len(numbers) == 1 and "." not in shown and read_cents(text, end)
        if cents:
            shown, end = f"{shown}.{cents[0]:02d}", cents[1]
            keys = {key_of(shown): None}
    elif tail in CENTS and len(numbers) == 1 and value < 1000:
        shown, unit, end = f"{value / 100:.2f}", CENTS[tail], end + 1
        keys = {key_of(shown): "unit_conversion"}
    elif text.gaps[end][:1] == "%":
        unit = "percent"
    elif tail == "per" and words[end + 1] == "cent":
        unit, end = "percent", end + 2
    elif not unit:
        unit, end = unit_after(text, end)
    if unit is None or unit in CURRENCY_CODES:
        per, end = rate_after(text, end)
    unit = unit or unit_before(text, first)
    if len(keys) == 2 and (per or unit in CURRENCY_CODES or unit is None and words[i - 1] in PRICE_CUES):
        keys = dict(reversed(list(keys.items())))           # a price in two parts is dollars and cents first
        shown = f"{float(next(iter(keys))):.2f}"
    if words[numbers[0].last - 1] in COLLECTIVES or words[numbers[0].last - 2] in COLLECTIVES:
        keys = dict.fromkeys(keys, "unit_conversion")
    if len(numbers) == 1:
        equal_amounts(keys, value, unit)
    return Mention(NUMERIC, shown, keys, unit, per, first, end)


def is_idiom(text, i, numbers):
    """Is this "one" a pronoun ("the other one", "one of the"), or the number part of a fixed phrase?"""
    words, end = text.words, numbers[-1].last
    if end > i + 1 or words[i] not in ("one", "oh", "o", "zero", "nil"):
        return False
    if words[i] != "one":
        return words[i] in ("oh", "o")
    if i and words[i - 1] in CODE_LABELS and words[i - 1] != "no":
        return False
    if words[end] in ("to", "till", "until") and words[end + 1] in CARDINALS \
            or words[i - 1] in ("and", "to", "till", "until") \
                and (words[i - 2] in CARDINALS or words[i - 2] in DAY_PARTS
                     and "between" in words[max(i - 8, 0):i]):
        return False                                        # "that's one to six", "between eight and one"
    if words[i - 1] in DAY_PARTS and words[i - 2] == "the" or words[i - 1] in PRONOUN_ONE_AFTER and i \
            or words[end] in IDIOMS or words[end] == "more" \
            or text.gaps[end] == "'":
        return True
    alone = text.gaps[i] not in LINKS and text.gaps[end] not in LINKS
    counts = text.linked(end) and words[end] not in FUNCTION_WORDS and words[end] not in NOT_UNITS \
        and words[end] != "more"
    return not (alone or i and (words[i - 1] in ONE_COUNTS or words[i - 1] in CLOCK_CUES)
                or counts and words[end] != "s")


# ---------------------------------------------------------------------------------- scan: clock times

# half "am", "pm" or None; sure: said as a time of day
Time = namedtuple("Time", "hour minute half sure last")
TYPED_TIME = (r"(?P<h>\d\d?)(?:[:.](?P<m>[0-5]\d)(?::[0-5]\d)?)?(?P<half>[ap]\.?m)?"
              r"|(?P<h3>\d\d?)(?P<m3>[0-5]\d)(?P<half3>[ap]\.?m)?h?")
SPAN_CUES = frozenset("from between open hours weekdays weekends mondays saturdays sundays".split())
RANGE_WORDS = frozenset("to till til until and or through thru".split())


def half_after(text, i):
    """The half of the day said behind a time, as (half, end), or (None, i):
    p.m., in the morning, on Friday evening."""
    words, gaps = text.words, text.gaps
    if words[i] in MERIDIEMS and (len(words[i]) > 1 or words[i + 1] == "m" and len(gaps[i + 1]) < 3) \
            and gaps[i] in SOFT:
        return MERIDIEMS[words[i]], i + 1 + (len(words[i]) == 1)
    for j in range(i, min(i + 4, text.size)):
        if gaps[j] not in SOFT and j:
            break
        if words[j] in DAY_PARTS and len(words[j]) > 2 and words[j] not in ("breakfast", "dinner", "supper"):
            says_day = not RELATIVE_DAYS.keys().isdisjoint(words[i:j + 1]) or "this" in words[i:j] \
                or not WEEKDAYS.keys().isdisjoint(words[i:j])           # "at eight tonight"
            return DAY_PARTS[words[j]], i if says_day else j + 1
        if words[j] not in HALF_LINKS and words[j] not in WEEKDAYS:
            break
    return None, i


def half_before(text, i):
    """The half of the day said before a time in its phrase:
    tomorrow morning at eight, Friday evening, say seven."""
    for j in range(i - 1, max(i - 5, -1), -1):
        word = text.words[j]
        if text.gaps[j + 1] not in LINKS or word in ("until", "till", "to"):
            break                                           # "Thursday morning until half twelve"
        if word in DAY_PARTS and len(word) > 3:
            return DAY_PARTS[word] if text.words[j - 1] != "good" or not j else None
        if word not in HALF_LINKS and word not in CLOCK_CUES and word != "say":
            break
    return None


def to_hour(hour, half):
    """An hour of the 24 from one of the 12 and its half of the day."""
    if half == "night":
        half = "am" if hour == 12 or hour < 5 else "pm"
    return hour % 12 + (12 if half == "pm" else 0)


def clock_keys(time):
    """The readings of a time as {HH:MM: rule}; without a half of the day both, the likelier first."""
    if time.half or time.hour > 12 or time.hour == 0:
        hour = to_hour(time.hour, time.half) if time.half and time.hour < 13 else time.hour % 24
        return {f"{hour:02d}:{time.minute:02d}": None}
    first = time.hour % 12 + (12 if time.hour < 7 or time.hour == 12 else 0)
    return {f"{hour % 24:02d}:{time.minute:02d}": "ambiguous_reading" for hour in (first, first + 12)}


def read_typed_time(text, i):
    """A time in digits: 14:00, 2:30 p.m., 2pm, 415 p.m., 9.30 am, 1430;
    sure if nothing else could be meant."""
    word = text.words[i]
    match = pattern(TYPED_TIME).fullmatch(word)
    if not match or text.gaps[i][-1:] in CURRENCIES or text.gaps[i][-1:] in PHONE_SIGNS:
        return None
    hour, minute = int(match["h"] or match["h3"]), int(match["m"] or match["m3"] or 0)
    if hour > 24 or hour == 24 and minute:
        return None
    half = MERIDIEMS.get((match["half"] or match["half3"] or "")[:1])
    sure = bool(half) or ":" in word
    if not half and ":" in word and word[0] == "0" and len(word) > 4:
        half = "pm" if hour > 12 else "am" if hour else None           # 07:20 is written with 24 hours
    return Time(hour, minute, half, sure, i + 1)


PAST_OR_TO = PAST | TO


def read_past(text, i):
    """Times said from the full hour: half past two, quarter to five, ten (minutes) past six, half eight."""
    words = text.words
    if words[i] != "half" and PAST_OR_TO.isdisjoint(words[i + 1:i + 6]):
        return None
    minute, j = {"half": (30, i + 1), "quarter": (15, i + 1)}.get(words[i], (None, i))
    if minute is None:
        part = read_numbers(text, i)
        if len(part) != 1 or not 0 < part[0].value < 60 or part[0].value != int(part[0].value):
            return None
        minute, j = int(part[0].value), part[0].last
        if words[j] in ("minutes", "minute", "mins"):
            j += 1
        elif minute % 5 or minute < 5 \
                or words[i] < ":" and (words[j] in ("of", "before", "after") or words[i - 1] != "at") \
                or words[j] in ("til", "till") and words[i - 1] not in ("at", "s", "is") \
                or words[i - 1] in SPAN_CUES:
            return None
    if words[i] == "half" and text.linked(j) and 0 < CARDINALS.get(words[j], 0) < 13 \
            and not unit_after(text, j + 1)[0]:
        return Time(CARDINALS[words[j]], 30, None, True, j + 1)
    if not text.linked(j) or words[j] not in PAST_OR_TO:
        return None
    hour, last = {"noon": 12, "midday": 12, "midnight": 0}.get(words[j + 1]), j + 2
    if hour is None:
        part = read_numbers(text, j + 1)
        if not part or not 0 < part[0].value < 13 or len(part) > 1 or part[0].value != int(part[0].value):
            return None
        hour, last = int(part[0].value), part[0].last
        if unit_after(text, last)[0] or text.gaps[last][:1] == "%" or words[last] in CURRENCIES \
                or words[last] == "percent":
            return None
    half = "pm" if words[j + 1] in ("noon", "midday") else None
    if words[j] in TO:
        minute, hour = 60 - minute, hour - 1 if hour > 1 else 12 if hour else 23
        half = "am" if half and hour == 11 else half
    return Time(hour, minute, half, True, last)


def read_time(text, i):
    """A time of day that begins at word i, or None; not sure where only a number was said."""
    if ~i not in text.cache:
        text.cache[~i] = find_time(text, i)
    return text.cache[~i]


STREETS = frozenset(
    "street avenue road lane drive boulevard court square close terrace crescent st ave rd blvd ln".split())


def find_time(text, i):
    """What read_time returns, worked out: several readers ask for it."""
    words = text.words
    if words[i] in CLOCK_WORDS:
        return Time(int(CLOCK_WORDS[words[i]][:2]), 0,
                    "pm" if CLOCK_WORDS[words[i]] == "12:00" else None, True, i + 1)
    if words[i] == "one" and words[i - 1] in DAY_PARTS and words[i - 2] == "the":
        return None                                         # "the evening one"
    if text.gaps[i] == "-" and i and len(words[i - 1]) == 1 and words[i - 1].isalpha():
        return None                                         # "her W-2 tonight"
    time = read_past(text, i)
    if time is None and words[i] < ":":
        time = read_typed_time(text, i)
    if time is None:
        numbers = read_numbers(text, i)
        values = [number.value for number in numbers]
        if not values or values[0] > 2400 or len(values) > 3 or values[0] != int(values[0]) \
                or text.gaps[i][-1:] in CURRENCIES:
            return None
        if len(values) > 1 \
                and (values[-1] > 59 or len("".join(n.text for n in numbers[1:])) != 2 or values[0] > 23):
            return None
        hour, minute = values[0], values[-1] if len(values) > 1 else 0
        if hour > 24:
            if hour % 100 or words[i] < ":":
                return None
            hour, minute = hour // 100, 0
        time = Time(int(hour), int(minute), None, False, numbers[-1].last)
    j = time.last
    if words[j] in ("o'clock", "oclock", "clock") and text.linked(j):
        time, j = time._replace(sure=True, last=j + 1), j + 1
    elif words[j:j + 2] == ["o", "clock"]:
        time, j = time._replace(sure=True, last=j + 2), j + 2
    elif words[j] in CLOCK_WORDS and text.linked(j) and time.hour == 12:
        return time._replace(half="pm" if words[j] != "midnight" else "am", sure=True, last=j + 1)
    elif words[j] in ("hours", "hrs") and text.linked(j) and time.hour < 24 \
            and (words[i][0] == "0" or len(words[i]) == 4 and words[i].isdecimal()
                 or words[time.last - 1] == "hundred" or time.minute and words[i - 1] in CLOCK_CUES):
        return time._replace(half="pm" if time.hour > 12 else "am" if time.hour else None,
                             sure=True, last=j + 1)
    if not time.sure and words[j] == "plus" and words[j + 1] in ("tax", "vat", "taxes", "gst"):
        return None                                         # "at one forty nine plus tax"
    if not time.sure and (not STREETS.isdisjoint(words[j:j + 3]) and text.linked(j)
                          and words[j] not in FUNCTION_WORDS
                          and words[j] not in RELATIVE_DAYS and words[j] not in WEEKDAYS
                          and words[j] not in DAY_PARTS
                          or unit_before(text, i) == "person" and words[j:j + 1] != ["to"]):
        return None                                         # "at 14 Elm Street", "a group of 11 on Friday"
    if time.half is None and time.hour < 13:
        half, end = half_after(text, j)
        if half == "am" and time.hour == 12 and "morning" in words[j:j + 4]:
            # "between ten and twelve in the morning" ends at noon
            half = "pm"
        if half and (time.sure or not unit_after(text, j)[0]):
            return time._replace(half=half, sure=True, last=end)
        half = half_before(text, i)
        if half and (time.sure or time.hour and not unit_after(text, j)[0] and words[j] not in CURRENCIES):
            return time._replace(half=half, sure=True)
    return time


def read_clock(text, i):
    """Clock times, both ends of a span of them; the canonical value is HH:MM of 24 hours.

    >>> explain("2:30 p.m., seven oh five in the morning, half past two, ten past six in the evening",
    ...         read_clock)
    2:30 p.m -> 14:30
    seven oh five in the morning -> 07:05
    half past two -> 14:30
    ten past six in the evening -> 18:10
    >>> explain("between 2 and 4 p.m., twenty to noon, 415 pm, nineteen hundred hours, three o'clock",
    ...         read_clock)
    2 -> 14:00
    4 p.m -> 16:00
    twenty to noon -> 11:40
    415 pm -> 16:15
    nineteen hundred hours -> 19:00
    three o'clock -> 15:00

    Near misses:
    >>> explain("13 p.m. is no hour, 4 people, for 45 dollars", read_clock)
    """
    token = pattern(r"(\d\d?(?::[0-5]\d)?)-(\d\d?(?::[0-5]\d)?(?:[ap]\.?m)?)").fullmatch(text.words[i]) \
        if "-" in text.words[i] else None
    if token:
        return read_typed_span(text, i, token)
    time = read_time(text, i)
    if not time or time.hour > 24 or time.hour > 12 and time.half == "am":
        return None
    j, second = time.last, None
    if text.words[j] in RANGE_WORDS and text.gaps[j] in SOFT or text.gaps[j] in ("-", " - "):
        second = read_time(text, j + (text.words[j] in RANGE_WORDS))
    if second and second.sure and second.half and not time.half and time.hour < 13:
        earlier = second.half if time.hour % 12 <= second.hour % 12 or second.half == "night" else \
            "am" if to_hour(second.hour, second.half) >= 12 else "pm"
        time = time._replace(half=earlier, sure=True)
    if not time.sure or words_code(text, i):
        return None
    both = words_both_ways(text, i, time)
    if both:
        return both
    return [Mention(DATE_TIME, next(iter(clock_keys(time))), clock_keys(time), None, None, i, time.last)]


def words_code(text, i):
    """Are these digits a room's or the like ("room 418 to 1 PM")?"""
    return text.words[i].isdecimal() and len(text.words[i]) > 2 and unit_before(text, i) == CODE


def words_both_ways(text, i, time):
    """ "five to six p.m." is 17:55, or from five to six: both, where no "at" decides it."""
    if text.words[i + 1] != "to" or time.last < i + 3 or text.words[i] not in ("five", "ten") \
            or text.words[i - 1] in ("at", "s", "is", "about"):
        return None
    ends = [read_time(text, i + 2), Time(CARDINALS[text.words[i]], 0, None, False, i + 1)]
    if not ends[0] or time.minute == 0:
        return None
    half = ends[0].half
    first = half and (half if ends[1].hour % 12 <= ends[0].hour % 12 else "am" if half == "pm" else "pm")
    keys = dict.fromkeys([*clock_keys(time), *clock_keys(ends[1]._replace(half=first))], "ambiguous_reading")
    other = dict.fromkeys(clock_keys(ends[0]), "ambiguous_reading")
    return [Mention(DATE_TIME, next(iter(keys)), keys, None, None, i, i + 1),
            Mention(DATE_TIME, next(iter(other)), other, None, None, i + 2, time.last)]


def read_typed_span(text, i, token):
    """Both ends of 9-11am, of 2-4 behind "from"; otherwise of a span of numbers, 30-40."""
    parts = [pattern(TYPED_TIME).fullmatch(part) for part in token.groups()]
    ends = [(int(part["h"]), int(part["m"] or 0)) for part in parts]
    half = MERIDIEMS.get((parts[1]["half"] or "")[:1]) or half_after(text, i + 1)[0] or half_before(text, i)
    last = half_after(text, i + 1)[1] if not parts[1]["half"] else i + 1
    cue = half or ":" in text.words[i] or i and text.words[i - 1] in CLOCK_CUES \
        or text.words[i - 1] in WEEKDAYS
    if cue and max(ends)[0] < 25 and text.gaps[i][-1:] not in CURRENCIES and not unit_after(text, last)[0]:
        first = half and (half if ends[0][0] % 12 <= ends[1][0] % 12 else "am" if half == "pm" else "pm")
        times = [Time(*ends[0], first, True, last), Time(*ends[1], half, True, last)]
        return [Mention(DATE_TIME, next(iter(clock_keys(t))), clock_keys(t), None, None, i, last)
                for t in times]
    unit, last = unit_after(text, i + 1)
    unit = CURRENCIES.get(text.gaps[i][-1:], unit) or CURRENCIES.get(text.words[i + 1]) or (
        "percent" if text.gaps[i + 1][:1] == "%" else None)
    if text.words[i + 1] in MONTHS or text.words[i - 1] in MONTHS and i and max(ends)[0] < 32:
        return None                                         # 15-18 Nov
    if ":" in text.words[i]:
        return None
    return [Mention(NUMERIC, part, {key_of(part): None}, unit, None, i, last) for part in token.groups()]


# ---------------------------------------------------------------------------------------- scan: dates

TYPED_DATE = (r"(?P<y>(?:19|20)\d\d)[-/.](?P<ym>\d\d?)[-/.](?P<yd>\d\d?)t?"
              r"|(?P<a>\d\d?)(?P<s>[-/.])(?P<b>\d\d?)(?:(?P=s)(?P<y2>(?:19|20)?\d\d))?")


def day_key(date):
    """A date as the canonical value: oct 14."""
    return f"{MONTH_NAMES[date.month - 1]} {date.day}"


def valid_day(month, day):
    return 0 < month < 13 and 0 < day <= MONTH_DAYS[month - 1]


def date_mention(month, day, year, first, last):
    """The mention of a calendar date; a year, when said, is its unit: two years do not meet."""
    key = f"{MONTH_NAMES[month - 1]} {day}"
    return Mention(DATE_TIME, key, {key: None}, year, None, first, last)


def read_day(text, i, cardinal=False):
    """(day, end) of 14, 14th, fourteenth, twenty-first; of "fourteen" too where cardinal is allowed."""
    words = text.words
    typed = pattern(r"(\d\d?)(st|nd|rd|th)?").fullmatch(words[i]) if words[i] < ":" else None
    if typed:
        return (int(typed[1]), i + 1) if (typed[2] or cardinal) and 0 < int(typed[1]) < 32 else None
    if words[i] in ORDINALS:
        return (ORDINALS[words[i]], i + 1) if 0 < ORDINALS[words[i]] < 31 else None
    if words[i] in ("twenty", "thirty") and text.linked(i + 1) and 0 < ORDINALS.get(words[i + 1], 0) < 10:
        return CARDINALS[words[i]] + ORDINALS[words[i + 1]], i + 2
    if cardinal:
        part = read_below_hundred(text, i)
        return part if part and 0 < part[0] < 32 else None
    return None


def read_year(text, i):
    """(year, end) behind a date: 2026, twenty twenty-six, two thousand twenty-six; or (None, i)."""
    word = text.words[i]
    if text.gaps[i] in SOFT:
        if pattern(r"(19|20)\d\d").fullmatch(word):
            return word, i + 1
        numbers = read_numbers(text, i) if word in ("twenty", "nineteen", "two") else ()
        said = "".join(number.text for number in numbers[:2])
        if len(said) == 4 and said[:2] in ("19", "20"):
            return said, numbers[:2][-1].last
    return None, i


def read_month_day(text, i):
    """October 14(th), Oct. 14, October the fourteenth, with a year or without,
    and both ends of August 5 to 16."""
    words, month = text.words, MONTH_NAMES.index(MONTHS[text.words[i]]) + 1
    j = i + 1 + (words[i + 1] == "the")
    if text.gaps[i + 1] not in (" ", ". ", "-", "/", "  ") or text.gaps[j] not in LINKS and j > i + 1:
        return None
    span = pattern(r"(\d\d?)-(\d\d?)(?:st|nd|rd|th)?").fullmatch(words[j])
    days = [(int(span[1]), j + 1), (int(span[2]), j + 1)] if span else [read_day(text, j, cardinal=True)]
    if days[0] and words[j] in ("twenty", "nineteen") and read_year(text, j)[0]:
        return None                                         # "November twenty twenty-four" has no day
    if not days[0] or text.gaps[days[0][1]][:1] == "%":
        return None
    year, last = read_year(text, days[0][1])
    if not span and not year:
        days += other_day(text, last, True)
    return [date_mention(month, day, year, i, max(end, last)) for day, end in days if valid_day(month, day)]


def other_day(text, i, cardinal=False):
    """[(day, end)] of a second day behind a date: "to 16", "and the 6th", "- 22", or []."""
    joined = text.words[i] in RANGE_WORDS and text.linked(i)
    j = i + joined
    j += text.words[j] == "the"
    if not joined and text.gaps[i].strip() != "-":
        return []
    day = read_day(text, j, cardinal and text.words[i] not in ("and", "or"))
    if not day or text.gaps[day[1]][:1] in (":", "%") or text.words[day[1]] in MERIDIEMS \
            or unit_after(text, day[1])[0] or text.words[day[1]] in MONTHS:
        return []
    return [day]


def read_day_month(text, i):
    """14 October, the 14th of October, the fourteenth day of next month, and both ends of 5 to 16 August;
    i is the day."""
    words = text.words
    span = pattern(r"(\d\d?)(?:st|nd|rd|th)?-(\d\d?)(?:st|nd|rd|th)?").fullmatch(words[i])
    days = [(int(span[1]), i + 1), (int(span[2]), i + 1)] if span else [read_day(text, i, cardinal=True)]
    if not days[0]:
        return None
    end = days[-1][1]
    if not span and (words[end] in RANGE_WORDS and text.linked(end) or text.gaps[end].strip() == "-"):
        j = end + (words[end] in RANGE_WORDS)
        other = read_day(text, j + (words[j] == "the"), cardinal=True)
        if other:
            days, end = days + [other], other[1]
    j = end + (words[end:end + 2] == ["day", "of"])
    j += words[j] == "of"
    month, last = read_month(text, j, of=words[j - 1] == "of")
    if not month or not text.linked(end) or not text.linked(j):
        return None
    typed = words[i].isdecimal() and j == end and len(days) == 1 and last == j + 1 and read_month_day(text, j)
    if typed or month == 5 and j == end and words[j + 1] in ("be", "work", "not", "have"):
        return None                                         # "for 2 March 4th", "the 14th may work"
    year, last = read_year(text, last)
    return [date_mention(month, day, year, i, last) for day, _ in days if valid_day(month, day)] or None


def read_month(text, i, of=False):
    """(month, end) of a month's name, or, behind "of", of next month, this month, the month; or (None, i)."""
    words = text.words
    if words[i] in MONTHS:
        return MONTH_NAMES.index(MONTHS[words[i]]) + 1, i + 1
    j = i + (words[i] == "the")
    ahead = {"next": 1, "following": 1, "coming": 1, "last": -1, "previous": -1, "this": 0,
             "current": 0}.get(words[j])
    if of and text.dates \
            and (words[i:i + 2] == ["the", "month"] or ahead is not None and words[j + 1] == "month"):
        return (text.dates[0].month - 1 + (ahead or 0)) % 12 + 1, j + 1 + (ahead is not None)
    return None, i


RATINGS = frozenset("rated rating ratings rates rate score scored scores scoring scale stars".split())


def read_typed_date(text, i):
    """10/14, 10/14/2026, 14.10.2026, 2026-10-14; in a day-first record 4/10 is the fourth of October."""
    word = text.words[i]
    match = pattern(TYPED_DATE).fullmatch(word) if len(word) > 2 and word not in ("24/7", "50/50") else None
    if not match:
        return None
    if match["y"]:
        month, day, year = int(match["ym"]), int(match["yd"]), match["y"]
    else:
        if not match["y2"] and match["s"] != "/":
            return None
        month, day, year = int(match["a"]), int(match["b"]), match["y2"]
        if not year and month <= day in (5, 10) and (month == day or not RATINGS.isdisjoint(
                text.words[slice(*text.sentence(i))])):
            return None                                     # "workmanship: 5/5", "rated the visit 4/5"
        if (text.day_first or match["s"] == "." or not valid_day(month, day)) and valid_day(day, month):
            month, day = day, month
        year = "20" + year if year and len(year) == 2 else year
    return [date_mention(month, day, year, i, i + 1)] if valid_day(month, day) else None


def shift(dates, days):
    """The dates so many days later."""
    from datetime import timedelta
    return [date + timedelta(days) for date in dates]


def relative_mention(said, candidates, first, last, value=None):
    """A date said relative to the call: its words meet the same words, its dates need the call's date."""
    keys = {said: None} if said else {}
    for date in candidates:
        keys.setdefault(day_key(date), "call_date")
    value = value or (day_key(candidates[0]) if candidates else said)
    return Mention(DATE_TIME, value, keys, None, None, first, last)


def coming(text, weekday, weeks=(0,)):
    """The coming dates of a weekday, counted from the call's date; on the day itself, today and next week."""
    found = []
    for date in text.dates[:1]:
        ahead = (WEEKDAY_NAMES.index(weekday) - date.weekday()) % 7
        for week in weeks:
            found += shift([date], ahead + 7 * week)
        if not ahead and weeks == (0,):
            found += shift([date], 7)
    return found


WEEKS = {"next": 1, "following": 1, "this": 0, "last": -1, "past": -1}


def read_weekday(text, i):
    """Weekdays; with a call date also the dates they can mean:
    next Friday is the coming one or the one after.

    >>> explain("Wednesday or Weds, not on Saturdays", read_weekday)
    Wednesday -> wednesday
    Weds -> wednesday
    Saturdays -> saturday
    """
    words, word, first, last = text.words, text.words[i], i, i + 1
    if word in SHORT_WEEKDAYS \
            and not (text.raw[text.starts[i]].isupper() or words[i - 1] in ("on", "next", "this")):
        return None
    weekday, before, value = WEEKDAYS[word], words[i - 1] if i and text.linked(i) else "", None
    dates, end = nth_weekday(text, last, weekday)
    if dates:
        return [relative_mention(None, dates, first - 1, end)]
    behind = last + (words[last] == "of")
    week = WEEKS.get(words[behind]) if words[behind + 1] == "week" else WEEKS.get(words[i - 2]) \
        if before == "week" else None
    if week is not None:                                    # Friday of next week, next week Friday
        candidates = shift(text.dates[:1], 7 * week + WEEKDAY_NAMES.index(weekday)
                               - text.dates[0].weekday()) if text.dates else []
        last = behind + 2 if before != "week" else last
    elif before in WEEKS or before == "coming":
        today = bool(text.dates) and WEEKDAY_NAMES[text.dates[0].weekday()] == weekday
        weeks = (0,) if before in ("this", "coming") else (-1,) if WEEKS[before] < 0 \
            else (1,) if today else (0, 1)
        candidates, first = coming(text, weekday, weeks), i - 1
        value = day_key(candidates[0]) if candidates else None
    else:
        week_on = words[last] == "week" and text.linked(last) or words[i - 3:i] == ["a", "week", "from"]
        candidates = coming(text, weekday, (1,) if week_on else (0,))
    return [relative_mention(weekday, candidates, first, last, value or weekday)]


def read_relative(text, i):
    """today, this evening, tomorrow, the day after tomorrow, the last day of the month;
    needs the call's date to be a date."""
    words, word, first = text.words, text.words[i], i
    if word in RELATIVE_DAYS:
        days = RELATIVE_DAYS[word]
        if words[i - 2:i] == ["day", "after"] and days == 1:
            days, first, word = 2, i - 2, "day after tomorrow"
        elif words[i - 2:i] == ["day", "before"] and days == -1:
            days, first, word = -2, i - 2, "day before yesterday"
        word = {"tonight": "today", "tomorrows": "tomorrow", "tmrw": "tomorrow"}.get(word, word)
        return [relative_mention(word, shift(text.dates, days), first, i + 1)]
    if word in ("morning", "afternoon", "arvo", "evening"):
        return [relative_mention("today", text.dates, i - 1, i + 1)] if i and words[i - 1] == "this" else None
    month, last = read_month(text, i + 2, of=True) \
        if words[i - 1] == "last" and words[i + 1] in ("of", "in") else (None, i)
    if not month or not text.dates:
        return None
    import datetime
    year = text.dates[0].year + (month < text.dates[0].month)
    return [date_mention(month, (datetime.date(year + month // 12, month % 12 + 1, 1)
                                 - datetime.timedelta(1)).day, None, i - 1, last)]


def nth_weekday(text, i, weekday):
    """The dates and the end of "the third Monday of October", "the last Friday in February", or ([], i);
    i is behind it."""
    words, before = text.words, text.words[i - 2] if i > 1 else ""
    month, last = read_month(text, i + 1, of=True) if words[i] in ("of", "in") else (None, i)
    nth = int(before[:1]) if before[:1].isdecimal() and before[1:] in ("st", "nd", "rd", "th") else \
        ORDINALS.get(before, 99 if before == "last" else 0)
    if not month or not nth or not text.dates:
        return [], i
    import datetime
    found = []
    for year in (text.dates[0].year, text.dates[0].year + 1):
        first = datetime.date(year, month, 1)
        days = [day for day in (first + datetime.timedelta(n) for n in range(31))
                if day.month == month and day.weekday() == WEEKDAY_NAMES.index(weekday)]
        found += days[-1:] if nth == 99 else days[nth - 1:nth]
    return found, last


def relative_base(text, first, i):
    """From which dates an amount of days or weeks counts, which way, and where those words end.

    "in …", "… from Monday", "… ago": (dates, 1 or -1, end); no dates where nothing says so.
    """
    words = text.words
    if words[i] == "ago" and text.linked(i):
        return text.dates, -1, i + 1
    if words[i - 1] in ("night", "nights"):
        return [], 1, i
    if words[i] in RELATIVE_DAYS and text.linked(i) and words[i] != "today":
        return shift(text.dates, RELATIVE_DAYS[words[i]]), 1, i + 1         # "a week tomorrow"
    if words[i] in ("from", "after") and text.linked(i):
        if words[i + 1] in RELATIVE_DAYS:
            return shift(text.dates, RELATIVE_DAYS[words[i + 1]]), 1, i + 2
        if words[i + 1] == "now":
            return text.dates, 1, i + 2
        j = i + 1 + (words[i + 1] in ("next", "this"))
        if words[j] in WEEKDAYS:
            return coming(text, WEEKDAYS[words[j]], (0, 1) if j > i + 1 else (0,)), 1, i
    if words[i] == "today" and text.linked(i) \
            or first and words[first - 1] in ("in", "within", "after") and words[i] != "now":
        return text.dates, 1, i
    return [], 1, i


AMOUNT_CUES = frozenset("in for within about over under of takes lasts take took last than least after "
                        "roughly around nearly almost only just another".split())


def read_span(text, i):
    """Amounts of time said with an article or a fraction:
    an hour, half an hour, three quarters of an hour, in a week.

    >>> explain("half an hour, an hour and a half, a quarter of an hour, back in a week, "
    ...         "an hour and 20 minutes", read_span)
    half an hour -> 0.5 hour
    an hour and a half -> 1.5 hour
    quarter of an hour -> 0.25 hour
    a week -> 1 week
    an hour and 20 minutes -> 80 minute

    Near misses:
    >>> explain("$20 an hour, twice a week, the other day", read_span)
    """
    words, unit = text.words, UNITS[text.words[i]]
    first, amount, plainly = i - 1, 1, False
    if (not text.linked(i) or i < 1) and not read_fraction(text, i + 1):
        return None
    if i and words[i - 1] in ("a", "an"):
        if words[i - 2] == "half" and text.linked(i - 1):
            first, amount, plainly = i - 2, .5, True
        elif words[i - 2] == "of" and words[i - 3] in ("quarter", "quarters"):
            times = CARDINALS.get(words[i - 4], 1) if words[i - 3] == "quarters" else 1
            first, amount, plainly = i - 3 - (times > 1), .25 * times, True
    elif words[i - 1] in ("half", "1/2"):
        amount, plainly = .5, True
    elif read_fraction(text, i + 1):
        first, plainly = i, True                            # "Hour and a half, tops."
    elif words[i - 2:i] == ["within", "the"]:
        plainly = True                                      # "within the week"
    else:
        return None
    plainly = plainly or unit == "fortnight" or first == text.sentence(i)[0] and not (
        text.linked(i + 1) and text.words[i + 1] not in FUNCTION_WORDS
        # "a night bus"
        and text.words[i + 1] not in RELATIVE_DAYS and text.words[i + 1] not in WEEKDAYS)
    fraction = read_fraction(text, i + 1)
    amount, last = (amount + fraction[0], fraction[1]) if fraction else (amount, i + 1)
    before = words[first - 1] if first and text.gaps[first] in SOFT else ""
    end = relative_base(text, first, last)[2]
    if not (plainly or fraction or end > last or before in AMOUNT_CUES or unit == "hour"
            and words[i - 1] == "an" and not (before in CURRENCIES or before in NUMBER_WORDS or before < ":"
                                              and before or before in ("times", "once", "twice", "p"))):
        return None
    keys = {plain(amount): None}
    equal_amounts(keys, amount, unit)
    return finish_span(text, Mention(NUMERIC, plain(amount), keys, unit, None, first, last))


def finish_span(text, mention):
    """An amount of time with what follows: its smaller parts ("1 hour 42 minutes"),
    the date that it leads to."""
    words, (dimension, size) = text.words, UNIT_SIZES[mention.unit]
    if dimension not in ("time", "months"):
        return [mention]
    j = mention.last + (words[mention.last] == "and")
    whole = "." not in mention.value and text.gaps[j] in SOFT and text.gaps[mention.last] in SOFT
    rest = read_quantity(text, j) if whole else None
    if rest and rest.unit in UNIT_SIZES and UNIT_SIZES[rest.unit][0] == dimension \
            and UNIT_SIZES[rest.unit][1] < size:
        total = float(mention.value) * size + float(rest.value) * UNIT_SIZES[rest.unit][1]
        value = plain(total / UNIT_SIZES[rest.unit][1])
        return [Mention(NUMERIC, value,
                        {value: "unit_conversion", "=" + dimension + plain(total): "unit_conversion"},
                        rest.unit, None, mention.first, rest.last)]
    dates, way, last = relative_base(text, mention.first, mention.last)
    days = float(mention.value) * size / 86400
    if dates and dimension == "time" and days == int(days) and days < 1000:
        for date in shift(dates, way * int(days)):
            mention.keys.setdefault(day_key(date), "call_date")
        return [mention._replace(last=last)]
    return [mention]


MONTHLIKE = frozenset(MONTHS) | {"month"}


def read_date(text, i):
    """Calendar dates, their parts in any order; canonical is month and day: oct 14.

    >>> explain("October 14th, 14 Oct 2026, the 14th of October, 10/14/2026, June first, twenty twenty-six",
    ...         read_date)
    October 14th -> oct 14
    14 Oct 2026 -> oct 14 2026
    14th of October -> oct 14
    10/14/2026 -> oct 14 2026
    June first, twenty twenty-six -> jun 1 2026

    Near misses:
    >>> explain("it may be 4, open 24/7, 31/31, version 1.2, march on", read_date)
    """
    word = text.words[i]
    if word in MONTHS:
        return read_month_day(text, i)
    before = text.words[i - 1]
    if before != "the" and before not in WEEKDAYS and not ranged_day(text, i + 1) \
            and (word > ":" or word.isdecimal() or ":" in word) \
            and MONTHLIKE.isdisjoint(text.words[i + 1:i + 12]):
        return None                                         # a bare number, and no month anywhere near
    if text.gaps[i][-1:] in PHONE_SIGNS or text.gaps[i][-1:] in CURRENCIES:
        return None
    return read_day_month(text, i) or (read_typed_date(text, i) if word < ":" else None) \
        or read_month_less(text, i)


BEHIND_DAYS = frozenset(        # "by the 20th depending on …" is a day, "the 20th floor" none
    "depending because although though unless provided please thanks instead works suits subject pending the "
    "a an his her their had were being did now yet already just only if when too also still any every thats "
    "that is morning afternoon evening".split())


def ranged_day(text, i):
    """Is the word before i the first of two days: "third to the ninth"?"""
    return text.words[i] in ("to", "till", "until", "through") and text.words[i + 1] == "the" \
        and text.words[i - 1] in ORDINALS and text.words[i + 2] in ORDINALS


def read_month_less(text, i):
    """The 14th, Wednesday the 22nd, Monday 20th: a day of this month or the next,
    or of any when no date is known."""
    day = read_day(text, i)
    before = text.words[i - 1] if i else ""
    if not day or not (before == "the" or before in WEEKDAYS or ranged_day(text, day[1])) \
            or text.gaps[i] not in SOFT and before == "the":
        return None
    if text.words[day[1]] in WEEKDAYS and text.words[day[1] + 1] in ("of", "in") or before in MONTHS:
        return None                                         # "the first Monday of March"
    if text.linked(day[1]) and text.words[day[1]] not in FUNCTION_WORDS \
            and text.words[day[1]] not in WEEKDAYS and text.words[day[1]] not in BEHIND_DAYS \
            and text.words[day[1]] not in RELATIVE_DAYS and not text.words[day[1]] < ":" \
            and (text.words[i - 2] != "on" or before != "the" or text.words[day[1]] in SPELLED_ORDINAL_HEADS):
        return None
    if before == "the" and day[0] < 4 and not text.words[i] < ":" and text.words[i - 2] not in WEEKDAYS \
            and (text.words[i - 2] not in ("on", "for", "until", "by", "from", "to", "till")
                 or text.words[i - 2] == "for" and text.words[day[1]] in ("and", "one", "of")) \
            and (text.linked(day[1]) or len({"first", "second", "third"}.intersection(
                text.words[slice(*text.sentence(i))])) > 1):
        return None                                     # "the first would be better" orders, it dates nothing
    months = range(12)
    if text.dates:
        month = text.dates[0].month - 1
        months = [(month + 1) % 12, month] if day[0] < text.dates[0].day else [month, (month + 1) % 12]
    keys = {f"{MONTH_NAMES[m]} {day[0]}": "call_date" for m in months if valid_day(m + 1, day[0])}
    value = next(iter(keys)) if text.dates else f"day {day[0]}"
    return [Mention(DATE_TIME, value, keys, None, None, i, day[1])] if keys else None


def read_ordinal(text, i):
    """Ordinals that count: the third floor, 21st Street, forty-second in line, the hundred and eleventh.

    >>> explain("the third floor, 21st Street, forty-second, one hundred and eleventh, ninetieth",
    ...         read_ordinal)
    third -> 3
    21st -> 21
    forty-second -> 42
    one hundred and eleventh -> 111
    ninetieth -> 90
    """
    words = text.words
    if words[i].isdecimal() \
            or words[i] not in ORDINALS and words[i] > ":" and ORDINALS.keys().isdisjoint(words[i + 1:i + 6]):
        return None
    typed = pattern(r"(\d+)(?:st|nd|rd|th)").fullmatch(words[i]) if words[i] < ":" else None
    if typed:
        value, last = int(typed[1]), i + 1
    else:
        whole = (0, i) if words[i] in ORDINALS \
            else (100, i + 1) if words[i] == "hundred" and words[i - 1] == "the" \
            else None if words[i] < ":" else read_whole(text, i)
        last = whole and whole[1] + (words[whole[1]] == "and")
        tens = last and read_below_hundred(text, last) if whole and whole[0] and whole[0] % 100 == 0 else None
        total, last = (whole[0] + tens[0], tens[1]) if tens else (whole[0] if whole else 0, last)
        step = ORDINALS.get(words[last]) if whole and (last == i or text.linked(last)) else None
        if not step or total and step > 9 and total % 100 and step < 100 or total % 10 and step < 100:
            return None
        value, last = (total or 1) * step if step > 99 else total + step, last + 1
    keys = {str(value): None}
    if text.dates and 3 < value < 32 and (not text.linked(last) or words[last] in FUNCTION_WORDS):
        for month in (text.dates[0].month, text.dates[0].month % 12 + 1):
            # "Twentieth and twenty-first, yes"
            keys[f"{MONTH_NAMES[month - 1]} {value}"] = "ambiguous_reading"
    return [Mention(NUMERIC, str(value), keys, None, None, i, last)]


# ----------------------------------------------------------------------------------------------- scan


def read_number(text, i):
    """Quantities, each with what else its words can mean: a bare hour, a date so many weeks from the call.

    A bare number is a time only where nothing is counted: behind a clock's cue it is one first.
    """
    token = pattern(r"(\d+(?:\.\d+)?)[-/](\d+(?:\.\d+)?)").fullmatch(text.words[i]) \
        if text.words[i] < ":" else None
    if token and text.gaps[i][-1:] not in PHONE_SIGNS:
        unit = CURRENCIES.get(text.gaps[i][-1:]) or CURRENCIES.get(text.words[i + 1]) or (
            "percent" if text.gaps[i + 1][:1] == "%" else unit_after(text, i + 1)[0])
        if token[0] in ("24/7", "7/24") or token[0] == "1/2" and unit in UNIT_SIZES:
            return None
        return [Mention(NUMERIC, part, {key_of(part): None}, unit, None, i, i + 1) for part in token.groups()]
    start = i
    if text.words[i] in SCALES or text.words[i] in COLLECTIVES:
        start = i - 1 if i and text.words[i - 1] in ("a", "an", "another") else i
        if text.words[i - 2:i] == ["half", "a"]:
            start = i - 2
        if start == i and text.words[i] != "couple":
            return None
    mention = read_quantity(text, start)
    if not mention:
        return read_suffixed(text, i)
    if mention.unit in UNIT_SIZES and UNIT_SIZES[mention.unit][0] in ("time", "months"):
        return finish_span(text, mention)
    before = text.words[mention.first - 1] if mention.first else ""
    if before in ("either", "say", "maybe") and mention.first > 1:
        before = text.words[mention.first - 2]              # "at either eight forty or eleven ten"
    if before == "by" and mention.first > 1 \
            and (text.words[mention.first - 2] < ":" or text.words[mention.first - 2] in NUMBER_WORDS):
        return [mention]                                    # "ten by ten"
    if mention.unit or mention.per or before in COUNT_CUES and before != "for" \
            and text.words[max(mention.first - 2, 0)] != "instead" \
            or "scale" in text.words[max(mention.first - 5, 0):mention.first]:
        return [mention]
    if mention.value == "1" and text.linked(mention.last) and thing_of(text.words[mention.last]) \
            and text.words[mention.last] not in NOT_UNITS and not text.words[mention.last].endswith("s"):
        return [mention]                                    # "one dog" is no hour
    if text.gaps[mention.last] == "-" and text.words[mention.last].isalpha() \
            and text.words[mention.last] not in RANGE_WORDS:
        return [mention]                                    # "a three-seater"
    time = read_time(text, i)
    if time and time.hour < (25 if time.minute or before in CLOCK_CUES else 13) \
            and time.last <= mention.last and before != "for":
        keys = clock_keys(time) if time.half else dict.fromkeys(clock_keys(time), "ambiguous_reading")
        if before == "to" and UNITS.get(text.words[mention.first - 2]) == "person":
            return [mention]                                # "from twelve guests to nine"
        if before in CLOCK_CUES and text.words[mention.last] not in CURRENCIES and not (
                len(text.words[i]) == 3 and text.words[i].isdecimal() and before in ("to", "at")) and (
                time.hour < 13 or before not in ("about", "around", "between", "to", "from")):
            return [Mention(DATE_TIME, next(iter(keys)),
                            {**keys, **dict.fromkeys(mention.keys, "ambiguous_reading")},
                            None, None, mention.first, mention.last)]
        return [mention._replace(keys={**mention.keys, **keys})]
    return [mention]


def read_suffixed(text, i):
    """Codes and numbers grown together with letters: L2093, 30min, 5kg, 10mg, A4."""
    match = pattern(r"(\d+(?:\.\d+)?)([a-z]+)|([a-z]{1,4})(\d{2,})").fullmatch(text.words[i])
    if not match or text.gaps[i][-1:] in PHONE_SIGNS:
        return None
    if match[2] == "s":
        return [Mention(NUMERIC, match[1], {match[1]: None}, None, None, i, i + 1)]             # "under-16s"
    if match[1]:
        unit = UNITS.get(match[2]) or CURRENCIES.get(match[2])
        keys = {key_of(match[1]): None} if unit else {text.words[i]: None, match[1]: "ambiguous_reading"}
        if unit in UNIT_SIZES:
            equal_amounts(keys, float(match[1]), unit)
        return [Mention(NUMERIC, match[1] if unit else text.words[i].upper(), keys, unit, None, i, i + 1)]
    return [Mention(NUMERIC, text.words[i].upper(), {text.words[i]: None, match[4]: "ambiguous_reading"},
                    CODE, None, i, i + 1)]


READERS = (                     # where two could read a word, the earlier keeps it
    # "october 14" before the bare 14
    (read_date, frozenset(MONTHS) | frozenset(ORDINALS) | frozenset(CARDINALS)),
    # "2 p.m." before the bare 2
    (read_clock, frozenset(CARDINALS) | frozenset(CLOCK_WORDS) | {"half", "quarter"}),
    (read_weekday, frozenset(WEEKDAYS)),
    (read_relative, frozenset(RELATIVE_DAYS) | {"morning", "afternoon", "arvo", "evening", "day"}),
    (read_span, frozenset(word for word, unit in UNITS.items()
                          if UNIT_SIZES[unit][0] in ("time", "months") and unit != "second")),
    (read_ordinal, frozenset(ORDINALS) | frozenset(CARDINALS) | {"hundred"}),
    (read_number, NUMBER_WORDS),
)
TRIGGERS = {}                   # word -> the readers that it sets off
for _reader, _words in READERS:
    for _word in _words:
        TRIGGERS.setdefault(_word, []).append(_reader)
DIGITS = [read_date, read_clock, read_ordinal, read_number]


def scan(text, reader=None):
    """Every value that a text mentions, in order; where readings overlap, the first reader keeps the words.

    One pass over the words finds the few that set a reader off; nothing else is looked at. With a reader,
    only what this one reads.
    """
    found, free, words = [], 0, text.words
    triggers = compress(range(text.size), map(TRIGGERS.__contains__, words))
    if pattern(r"\d").search(text.raw):
        triggers = [i for i, word in enumerate(words[:text.size])
                    if word in TRIGGERS or word < ":" or word[-1:] < ":"]
    for i in triggers:
        if i < free:
            continue
        for one in TRIGGERS.get(words[i], DIGITS):
            read = one(text, i) if reader in (None, one) else None
            if read:
                found += read
                free = read[-1].last
                break
    if any(map(has_month, found)):
        share_months(text, found)
        share_days(text, found)
    share_units(text, found)
    return found


JOINTS = frozenset("and or to till until through the".split()) | frozenset(WEEKDAYS)


def has_month(mention):
    """Is this a date whose month was said with it?"""
    return mention.kind == DATE_TIME and mention.value[:3] in MONTH_NAMES \
        and "call_date" not in mention.keys.values()


def share_months(text, mentions):
    """Let a day said alone also be one of the month said last: "the 19th of December … back on the 26th"."""
    month = None
    for mention in mentions:
        if has_month(mention):
            month = mention.value[:3]
        elif month and mention.kind == DATE_TIME and mention.last - mention.first < 3 and (
                text.words[mention.first][:2].isdecimal() or text.words[mention.last - 1] in ORDINALS):
            day = next((key[4:] for key in mention.keys if key[:3] in MONTH_NAMES), "")
            if day and "call_date" in mention.keys.values():
                mention.keys.setdefault(f"{month} {day}", "call_date")


def share_days(text, mentions):
    """Give the days of a list its month: "the 20th, 21st and 27th of November", "May 4th, 5th and 6th"."""
    days = [n for n, mention in enumerate(mentions) if text.words[mention.last - 1] not in WEEKDAYS]
    for m, n in [*zip(days[-2::-1], days[:0:-1]), *zip(days, days[1:])]:
        one, other = mentions[m], mentions[n]
        dated, bare, at = (one, other, n) if has_month(one) else (other, one, m)
        day = bare.value[4:] if bare.value[:4] == "day " else bare.value
        between = text.words[one.last:other.first]
        if has_month(dated) and not bare.unit and 0 <= other.first - one.last < 4 \
                and day.isdecimal() and 0 < int(day) < 32 \
                and (JOINTS.issuperset(between) if between else text.gaps[other.first] == ", ") \
                and (at < n or text.words[bare.first][-2:] in ("st", "nd", "rd", "th")
                     or not text.linked(bare.last) and between in (["and"], ["or"])):
            key = f"{dated.value[:3]} {day}"
            ordinal = text.words[bare.last - 1] in ORDINALS or not bare.value.isdecimal() \
                or text.words[bare.first][-1:] > ":"
            mentions[at] = Mention(DATE_TIME, key, {key: None}, None, None, bare.first, bare.last) \
                if ordinal else bare._replace(keys={**bare.keys, key: None})


def share_units(text, mentions):
    """Give the first end of a range what was said of the second:
    "30 to 35 minutes", "between six and eight hundred"."""
    for n, (one, other) in enumerate(zip(mentions, mentions[1:])):
        if other.first - one.last != 1 or one.unit or not one.slots & other.slots & {"number"}:
            continue
        joint, scale = text.words[one.last], \
            max(SCALES.get(word, 0) for word in text.words[other.last - 2:other.last])
        if joint in ("to", "or") or joint == "and" and one.first and text.words[one.first - 1] == "between":
            keys = {key: rule for key, rule in one.keys.items() if ":" not in key or not other.unit}
            most = max([int(key) for key in other.keys if key.isdecimal()], default=0)
            number = next((key for key in one.keys if key.isdecimal()), "")
            if scale and number and int(number) * scale < most:
                keys[plain(int(number) * scale)] = "ambiguous_reading"
            value = number if other.unit and one.kind == DATE_TIME and number else one.value
            if other.unit and key_of(value).replace(".", "").isdecimal():
                equal_amounts(keys, float(value), other.unit)
            mentions[n] = one._replace(kind=NUMERIC if value == number else one.kind, value=value,
                                       unit=other.unit, keys=keys)


def explain(said, reader=None):
    """Print the mentions of a text, one a line: surface -> canonical value, unit.
    For examples and the curious."""
    text = Text(said)
    for m in scan(text, reader):
        start = text.starts[m.first] - (text.gaps[m.first][-1:] in CURRENCIES)
        print(f"{said[start:text.ends[m.last - 1]]} -> {m.value} {m.unit or ''}".rstrip())


# -------------------------------------------------------------------------------------------- phrases

FULL_FORMS = {"ll": "will", "m": "am", "re": "are", "ve": "have", "d": "would", "s": "is"}
FUSED = frozenset("i you we it that they he she let there what who".split())       # "ill", "youre", "thats"


def variants(phrase):
    """A phrase with its contractions as they are, in full, and without apostrophes, each as its words.

    >>> sorted(map(" ".join, variants("i'll pass"))), sorted(map(" ".join, variants("can't make it")))
    ... # doctest: +NORMALIZE_WHITESPACE
    (['i ll pass', 'i will pass', 'ill pass'],
     ['can not make it', "can't make it", 'cannot make it', 'cant make it'])
    """
    if "n't" in phrase:
        stem = phrase.replace("can't", "can n't").replace("won't", "will n't").replace("n't", " n't")
        return [form
                for one in (phrase, phrase.replace("n't", "nt"), " ".join(stem.replace("n't", "not").split()),
                            phrase.replace("can't", "cannot")) for form in contracted(one)]
    return contracted(phrase)


def contracted(phrase):
    """A phrase's words with 'll, 's and the like as a word of their own, in full, and grown together."""
    words = phrase.replace("'", " ").split() if "n't" not in phrase else phrase.split()
    forms = [words]
    for n in range(1, len(words)):
        if words[n] in FULL_FORMS:
            forms.append(words[:n] + [FULL_FORMS[words[n]]] + words[n + 1:])
            if words[n - 1] in FUSED:
                forms.append(words[:n - 1] + [words[n - 1] + words[n]] + words[n + 1:])
    return list(map(tuple, forms))


PHRASE_WORDS = {}               # word -> how many phrases have it
# first word -> [(table, row) of the word alone], {second word: [(length, other words, [(table, row)…])…]}
PHRASES = {}


def build_phrases():
    """Turn all phrase tables round, once, when the first text is searched: craft and --help need none."""
    said_in = {}                                            # words -> [(table, row)…]
    for table, rows in TABLES.items():
        for row, said in rows.items() if isinstance(rows, dict) \
                else [line.split(": ", 1) for line in rows.strip().split("\n")]:
            for phrase in said.replace("\n", " ").split(","):
                phrase = phrase.strip()
                for words in variants(phrase) if "'" in phrase or " " in phrase else [(phrase,)]:
                    found = said_in.setdefault(words, [])
                    if table not in [name for name, _ in found]:
                        found.append((table, row))
    for words in sorted(said_in, key=len, reverse=True):
        for word in words:
            PHRASE_WORDS[word] = PHRASE_WORDS.get(word, 0) + 1
        alone, longer = PHRASES.setdefault(words[0], ([], {}))
        if len(words) == 1:
            alone += said_in[words]
        else:
            longer.setdefault(words[1], []).append((len(words), list(words[2:]), said_in[words]))


Mark = namedtuple("Mark", "tag first last")         # a phrase of a table: its row, its words


def mark_phrases(text):
    """Every phrase of every table in a text, as {table: [Mark…]}: one pass over the words.

    At each place a table's longest phrase counts, and none inside the one before.
    A phrase crosses no sentence.
    """
    if not PHRASES:
        build_phrases()
    words, gaps, found = text.words, text.gaps, {}
    for i in compress(range(text.size), map(PHRASES.__contains__, words)):
        alone, longer = PHRASES[words[i]]
        if words[i + 1] in longer and gaps[i + 1] in SOFT:
            for length, others, rows in longer[words[i + 1]]:
                if length == 2 or words[i + 2:i + length] == others \
                        and SOFT.issuperset(gaps[i + 2:i + length]):
                    for table, row in rows:
                        found.setdefault(table, []).append((i, i + length, row))
        for table, row in alone:
            found.setdefault(table, []).append((i, i + 1, row))
    return {table: longest(rows) for table, rows in found.items()}


def longest(rows):
    """The marks among all phrases found: a longer one that begins inside takes the
    place of the one before."""
    marks, end = [], 0
    for first, last, row in rows:
        if first < end:
            if last <= end:
                continue
            if first > marks[-1].first and last - first > end - marks[-1].first:
                marks.pop()                                 # "was taken" gives way to "taken off the list"
        marks.append(Mark(row, first, last))
        end = last
    return marks


NO_MARKS = (), ()


def find_marks(text, table, first=0, last=None):
    """The marks of a table in a run of words."""
    if text.marks is None:
        text.marks = {name: (marks, [mark.first for mark in marks])
                      for name, marks in mark_phrases(text).items()}
    marks, firsts = text.marks.get(table, NO_MARKS)
    if last is None or not marks:
        return marks
    n = bisect_left(firsts, first)
    found = marks[n:bisect_left(firsts, last, n)]
    return found if not found or found[-1].last <= last else [mark for mark in found if mark.last <= last]


# ------------------------------------------------------------------------------------------- dialogue

# number: of its utterance; asks: see ask_of
Sentence = namedtuple("Sentence", "first last number speaker asks")
Utterance = namedtuple("Utterance", "first last speaker recorded sentences")


class Dialogue:
    """The transcript as one text: neighbouring turns of one speaker read as one utterance.

    calls holds the indices of turns that begin another call. text is the Text of the masked turns joined;
    turn_of leads a word back to its Turn; utterances holds their sentences.
    A recorded voice (greeting, menu, call screening) is no human speech.
    """

    def __init__(self, turns, dates=(), day_first=False, facts=(), calls=()):
        turns = reorder(turns)
        joints = [SPEAKER_CHANGE if before.speaker != after.speaker or after.index in calls else " "
                  for before, after in zip(turns, turns[1:])]
        raw = "".join(turn.text + joint for turn, joint in zip(turns, joints + [""]))
        masked = mask_pii(raw)
        self.starts = list(accumulate([0] + [len(turn.text) + 1 for turn in turns]))[:-1]
        self.turns = turns if masked == raw else [
            turn._replace(text=masked[start:start + len(turn.text)])
            for turn, start in zip(turns, self.starts)]
        self.text = Text(masked, dates, day_first)
        self.facts, self.cache = facts or {}, {}
        self.mentions = scan(self.text)
        self.firsts = [mention.first for mention in self.mentions]
        self.ranges = range_ends(self)
        resolve(self)
        self.index = index_of(self.mentions)
        self.masked_tails = pattern("#([^#]{2})").findall(masked)
        self.build_utterances()
        self.utterance_firsts = [utterance.first for utterance in self.utterances]
        self.spoken = [u for u in self.utterances if u.speaker != "agent" and not u.recorded]
        self.recorded = [u for u in self.utterances if u.recorded]
        self.kinds = {mention.kind for mention in self.mentions}
        # of the values that fell, those their own speaker corrected
        self.corrected = set()
        self.wanted = None                          # the readings whose standing will be asked for; None: all

    @cached_property
    def all_events(self):
        """What the call decided: see events_of."""
        return events_of(self)

    @cached_property
    def events(self):
        """Those that can decide the call."""
        return [event for event in self.all_events if not event.soft]

    @cached_property
    def fallen(self):
        """The values that no longer stand: see superseded_of."""
        return superseded_of(self)

    @cached_property
    def topics(self):
        """The numbers of the words that name a topic: no "House of Blues"."""
        stays = not HOTEL_WORDS.isdisjoint(self.text.words)
        return [i for i, word in enumerate(self.text.words) if word in TOPICS and not (
            self.text.raw[self.text.starts[i]].isupper() and self.text.gaps[i] == " ")
                and not (word == "apartment"
                         and (self.text.words[i + 1] < ":" or self.text.words[i + 1] in CARDINALS))
                and not (word in ("plan", "order", "match", "show")
                         and self.text.words[i + 1] in ("on", "to", "you", "me"))
            and (stays or word not in ("room", "rooms"))]       # the back room of a restaurant is no hotel's

    def turn_of(self, i):
        """The Turn that word i stands in."""
        return self.turns[bisect_right(self.starts, self.text.starts[i]) - 1]

    def speaker_at(self, i):
        """Who speaks word i."""
        return self.utterances[bisect_right(self.utterance_firsts, i) - 1].speaker

    def utterance_end(self, i):
        """Where the utterance of word i ends."""
        return self.utterances[bisect_right(self.utterance_firsts, i) - 1].last

    def mentions_in(self, first, last, most=None):
        """The mentions in a run of words, or so many of them."""
        start, end = bisect_left(self.firsts, first), bisect_left(self.firsts, last)
        return self.mentions[start:end if most is None else min(end, start + most)]

    def topic_of(self, event, inherit):
        """The topics named in an event's clause, else, where it may inherit one,
        the last that was named before it."""
        words = self.text.words
        first, last = self.text.sentence(event.first)
        start, end = clause_start(self.text, event.first, first), event.last
        while end < last and words[end] not in CLAUSE_STOPS and self.text.gaps[end] in LINKS:
            end += 1
        n = bisect_left(self.topics, end)
        near = {TOPICS[words[i]] for i in self.topics[bisect_left(self.topics, start):n]}
        return near or {TOPICS[words[i]] for i in self.topics[max(n - 1, 0):n] if inherit and start - i < 60}

    @cached_property
    def range_firsts(self):
        """The first words of the ends of ranges."""
        return {self.mentions[n].first for n in self.ranges}

    @cached_property
    def recaps(self):
        """(numbers of the mentions, their readings) of each of the agent's utterances that was borne out."""
        found, events = [], self.events[-MOST:]
        refused = {event.number for event in events if event.sign == "-"}
        for event in events:
            if event.sign == "+" and event.callee and event.rule == "answered_question" and event.number \
                    and event.number not in refused:
                asked = self.utterances[event.number - 1]
                if any(s.asks in ("commit", "recap") for s in asked.sentences[-9:]):
                    numbers = range(bisect_left(self.firsts, asked.first),
                                    bisect_left(self.firsts, asked.last))[-40:]
                    found.append((numbers, frozenset(key for n in numbers for key in self.mentions[n].keys)))
        for recap, answer in zip(self.utterances[-MOST:],
                                 self.utterances[-MOST + 1 if len(self.utterances) > MOST else 1:]):
            first = recap.sentences[-1].first
            if recap.speaker == "agent" and answer.speaker == "callee" and not recap.sentences[-1].asks \
                    and self.text.words[first] in ("so", "then") and NEGATIONS.isdisjoint(
                        # "So nine people, Thursday at seven." - "Great."
                        self.text.words[answer.first:answer.first + 4]):
                numbers = range(bisect_left(self.firsts, first), bisect_left(self.firsts, recap.last))[-40:]
                if len(numbers) > 1:
                    found.append((numbers, frozenset(key for n in numbers for key in self.mentions[n].keys)))
        return found[-20:]

    @cached_property
    def principal(self):
        """The names of whom the agent calls for: "I'm calling on behalf of Mr Osei"."""
        first = next((one for one in self.utterances if one.speaker == "agent"), None)
        words = self.text.words[first.first:min(first.last, first.first + 40)] if first else []
        at = next((i + 1 for i, word in enumerate(words) if word == "for"
                   and "calling" in words[max(i - 4, 0):i]
                   or word == "of" and words[i - 1] == "behalf"), len(words))
        return frozenset(words[at:at + 4]) - NO_THINGS

    @cached_property
    def sides(self):
        """The root of a word that a side calls itself by -> that side: "this is the assistant at Elm
        Clinic"."""
        found, words = {}, self.text.words
        for utterance in self.utterances[:2]:
            for sentence in utterance.sentences[:2]:
                first, last = sentence.first, min(sentence.last, sentence.first + 20)
                start = next((i + 1 for i in range(first, last) if words[i] in ("is", "from", "at", "s")),
                             first if sentence.first == utterance.first else last)
                for word in words[start:min(start + 8, last)] if "?" not in self.text.gaps[sentence.last] \
                        else ():
                    if word in ("about", "for", "calling", "speaking"):
                        break
                    if thing_of(word):
                        found[root(word)] = utterance.speaker
        return found

    @cached_property
    def roots(self):
        """The roots of all words that are said."""
        return frozenset(map(root, self.text.words))

    def speaks_of(self, names):
        """Is any of these roots said, or what it may be called instead?"""
        return any(name in self.roots or not SYNONYMS.get(name, frozenset()).isdisjoint(self.roots)
                   for name in names)

    def promised_only(self, deed):
        """Was a deed only promised: see only_promised."""
        key = "promised", deed
        if key not in self.cache:
            self.cache[key] = only_promised(self, deed)
        return self.cache[key]

    @cached_property
    def places(self):
        """root -> the first words of at most three sentences that name it."""
        found, text = {}, self.text
        for first, last in zip(text.opens, text.opens[1:] + [text.size]):
            for name in things(text.words[first:last]):
                if len(found.setdefault(name, [])) < 3:
                    found[name].append(first)
        return found

    @cached_property
    def articles(self):
        """root -> a word that says "a" of it: "a wake-up alarm"."""
        found, words = {}, self.text.words
        for i in range(self.text.size):
            if words[i] in ARTICLES:
                for name in things(words[i + 1:i + 4]):
                    found.setdefault(name, i)
            elif words[i] == "one" and words[i + 1] == "of":
                found.setdefault("one", i)
        return found

    @cached_property
    def changes(self):
        """Does the call speak of a change at all, but as a condition ("if it rains we'd shift it")?"""
        return speaks_of_change(self)

    def concerns(self, event, topic):
        """May an event be about this topic? A refusal is about the last topic named before it, if any was."""
        if topic is None:
            return True
        topics = self.topic_of(event, event.sign == "-" and (event.rule or event.callee)
                               or len(self.all_topics) > 1)
        return topic in topics or not topics or topic not in self.all_topics

    @cached_property
    def all_topics(self):
        """The topics that are named at all."""
        return {TOPICS[self.text.words[i]] for i in self.topics}

    def quote(self, first, last):
        """At most 160 characters of the turn around these words."""
        n = bisect_right(self.starts, self.text.starts[first]) - 1
        start = self.starts[n]
        return cut_around(self.turns[n].text, self.text.starts[first] - start,
                          self.text.ends[last - 1] - start, 160)

    def build_utterances(self):
        """Set utterances: the sentences of neighbouring turns of one speaker,
        and whether a machine speaks them."""
        text, self.utterances = self.text, []
        opens = text.opens + [text.size]
        rows, before = [], None
        for first, last in zip(opens, opens[1:]):
            if first >= last:
                continue
            turn = self.turn_of(first)
            if before is None or turn.speaker != before or SPEAKER_CHANGE in text.gaps[first]:
                rows.append((turn.speaker, []))
            before = turn.speaker
            rows[-1][1].append((first, last))
        machine = False                             # a machine talks on until somebody says "I" or "hello"
        for number, (speaker, spans) in enumerate(rows):
            sentences = [Sentence(*span, number, speaker, ask_of(text, *span)) for span in spans]
            recorded = speaker != "agent" \
                and ("voicemail" in self.facts or is_recorded(text, spans[0][0], spans[-1][1])
                     or machine and HUMAN_WORDS.isdisjoint(text.words[spans[0][0]:spans[-1][1]]))
            machine = recorded if speaker != "agent" else machine
            self.utterances.append(Utterance(spans[0][0], spans[-1][1], speaker, recorded, sentences))


def cut_around(text, start, end, most):
    """At most so many characters of a text, around a span, with … where it was cut;
    no space at the ends of a short one."""
    if len(text) <= most:
        return text.strip()
    left = max(0, min(start - (most - (end - start)) // 2, len(text) - most))
    piece = text[left:left + most]
    return ("…" + piece[1:] if left else piece)[:most - 1].rstrip() \
        + ("…" if left + most < len(text) else piece[-1:])


HUM = r"\W*(?:mm+[ -]?hm+|uh[ -]?huh|yes|yep|yeah|okay|ok|right|got it|go on|mm+|mhm)\W*"


def reorder(turns):
    """Turns with a code read out in groups made whole:
    the other side's "mm-hm" between two groups goes behind them."""
    turns = [turn for turn in turns if turn.text]
    for n in range(1, len(turns) - 1):
        before, hum, after = turns[n - 1:n + 2]
        if len(hum.text) < 16 and before.speaker == after.speaker != hum.speaker and len(before.text) < 80 \
                and pattern(HUM, re.I).fullmatch(hum.text) and ends_in_digits(before.text) \
                and starts_with_digits(after.text):
            turns[n], turns[n + 1] = after, hum
    return turns


def ends_in_digits(text):
    """Is a text's last word a number?"""
    last = Text(text[-12:])
    return last.size > 0 and (last.words[last.size - 1].isdecimal() or last.words[last.size - 1] in CARDINALS)


def starts_with_digits(text):
    """Is a text's first word a number, or "double"?"""
    word = Text(text[:12]).words[0]
    return word.isdecimal() or word in CARDINALS or word in REPEATS


OPENERS = frozenset("so and okay ok well um uh hi hello great thanks then alright right yes no but good "
                    "perfect sure oh also now wonderful thank you lovely all just".split())
AUXILIARIES = frozenset("can could would will do does did is are was were shall should may have has am isn't "
                        "aren't don't doesn't won't can't wouldn't couldn't didn't haven't hasn't".split())
ASKED_FOR = AUXILIARIES | {"time", "day", "many", "much", "about"}
ASKING = frozenset("can could would will do did shall should may".split())
SUBJECTS = frozenset("i you we they he she it there that this your my the his her our their these those "
                     "anyone someone".split())
WH_WORDS = frozenset("what when where which who how why whose whats".split())


TELLING = frozenset(             # "can you tell me" asks for words, "can you cover Thursday" for a deed
    "tell say give check see hear explain describe help speak spell repeat remind let suggest recommend find "
    "search look show provide share hold wait prefer rather know mind need think advise state read get also "
    "just be have".split())


REQUESTS = frozenset(["confirm", "verify"])
OFFERED_DEEDS = frozenset(["email", "mail", "text", "send", "forward", "call back", "notify", "contact",
                           "follow up"])


VALUE_WORDS = NUMBER_WORDS.union(WEEKDAYS, RELATIVE_DAYS, MONTHS) - {"one", "may"}


CALLED = frozenset(["call back", "contact", "follow up"])


def ask_of(text, first, last):
    """What a sentence asks: "commit" (a yes binds), "recap" (a value is to be borne out),
    "alter" (a yes changes or cancels), "else", "info", "open", or None."""
    words, asks = text.words, "?" in text.gaps[last]
    if not asks and text.gaps[last].strip(" \x1e") and REQUESTS.isdisjoint(words[first:last]):
        return None
    start = first
    while start < last - 1 and words[start] in OPENERS:
        start += 1
    opener = words[start] if start < last else ""
    inverted = opener in AUXILIARIES and words[start + 1] in SUBJECTS
    if not asks and not text.gaps[last].strip(" \x1e"):         # nobody put a question mark here
        asks = inverted or opener in WH_WORDS and words[start + 1] in ASKED_FOR \
            or not AUXILIARIES.isdisjoint(words[first:last]) \
            and any(words[i] in AUXILIARIES and words[i + 1] in ("you", "your", "i", "we", "that")
                    for i in range(first, last - 1))
    request = words[start] == "please" and words[start + 1] in REQUESTS or "confirm" in words[start:start + 3]
    if not asks and not request:
        return None
    if "about" in words[start:last] and words[start] == "you" \
            and words[start + 1] in ("asked", "called", "rang", "enquired"):
        return "info"                                       # "You asked about Sunday's matinee?"
    asks_for = [mark.tag for mark in find_marks(text, "asks", first, last)]
    valued = min(words[first:last]) < ":" or not VALUE_WORDS.isdisjoint(words[first:last])
    if minds(text, start, min(start + 6, last)):
        return "commit"                                     # "Any objections?"
    if opener in ("any", "anything") or "else" in asks_for and not valued or "later" in asks_for:
        return "else"
    if "alter" in asks_for:
        return "alter" if {"fee", "charge", "penalty"}.isdisjoint(words[first:last]) else "info"
    if opener in WH_WORDS and words[start + 1] != "about" \
            and not (opener == "how" and words[start + 1] == "does"):
        return "open"
    if "commit" in asks_for and not find_marks(text, "outcomes", first, last) and any(
            mark.tag in (CALLED if valued else OFFERED_DEEDS)
                and words[mark.first - 1] in ("i", "we", "to", "me", "you")
            for mark in find_marks(text, "actions", first, last)):
        return "else"                                   # "Should I send you a copy?" decides nothing but that
    if "commit" in asks_for or request:
        return "commit"
    verb = start + 2 + (words[start + 2] == "please")
    if opener in ("can", "could", "would", "will") and words[verb] in ("ask", "get", "have", "tell") \
            and words[verb + 1] in ("her", "him", "them"):
        return "else"                                       # "Could you ask her to call?" binds nobody
    helps = words[verb] == "help" and words[verb + 1] not in ("me", "us", "with", "find")
    if opener in ("can", "could", "would", "will") and words[start + 1] == "you" \
            and (helps or words[verb] not in TELLING):
        if any(mark.first == verb and mark.tag in OFFERED_DEEDS
               for mark in find_marks(text, "actions", first, last)) \
                and not find_marks(text, "outcomes", first, last):
            # "Could you send a drawing?" binds to no more than that
            return "else"
        return "commit"
    recaps = (valued or last - start < 4 or words[first] in ("so", "then", "and")) \
        and "if" not in words[start + 3:last]               # "So three ninety if it stays at four hours?"
    return "recap" if recaps and not inverted and not any(
        mark.tag == "find" for mark in find_marks(text, "cues", first, last)) else "info"


def is_recorded(text, first, last):
    """Is this a machine's voice: a mailbox, a menu, a screening, an announcement of closing hours?"""
    tags = [mark.tag for mark in find_marks(text, "voices", first, last)]
    strong, weak = tags.count("recorded"), tags.count("reached")
    return bool(strong or weak > 1) and ("human" not in tags or strong > 1)


# ------------------------------------------------------------------------------------------- outcomes

Stem = namedtuple("Stem", "stem sign mood first last")      # mood: done, negated, wish, noun


def clause_start(text, i, first):
    """The first word of the clause that word i stands in."""
    words, gaps = text.words, text.gaps
    for j in range(i - 1, first - 1, -1):
        word, gap = words[j], gaps[j + 1]
        if word in CLAUSE_STOPS or gap != " " and not CLAUSE_SIGNS.isdisjoint(gap):
            return j + 1
        if word in ASKING and words[j + 1] in ("you", "i", "we"):
            return j                                    # "no i don't want anything else could you email me"
    return first


def clause_around(text, part, first, last):
    """The clause that a mention or an outcome's word stands in, as (first word, last word excluded)."""
    start, end = clause_start(text, part.first, first), part.last
    while end < last and text.words[end] not in CLAUSE_STOPS and CLAUSE_SIGNS.isdisjoint(text.gaps[end]):
        end += 1
    return start, end


def past_form(word):
    """Does this word tell something as done?"""
    return word.endswith("ed") or word in PAST_FORMS


GETS = frozenset("got obtained secured received".split())
MOVES = frozenset("out in away house home here there abroad".split())


def mood_of(text, mark, first, last):
    """Is an outcome's word told as done, negated, wished for (asked, tried, conditional, future),
    or only a noun?"""
    words, i = text.words, mark.first
    start = clause_start(text, i, first)
    before, after = words[start:i], words[mark.last:min(mark.last + 4, last)]
    word = words[i]
    if word in ("been", "was", "were", "is", "are") and mark.tag[-1] == "+" \
            and BOOKABLE.isdisjoint(words[first:last]) \
            or word == "set" and (text.gaps[i + 1] == "-" or words[mark.last] in ("fee", "charge", "cost")):
        return "noun"
    if {word for word in after
        if word in NEGATIONS and word[:2] in ("no", "ne", "is", "wa", "ha", "ca", "co", "wo", "we")
        and word not in ("no", "nor")} \
            and (word in NOUN_FORMS or after[:1] and after[0] in NEGATIONS and text.linked(mark.last)):
        return "negated"
    if before == ["no"] and start == first and word not in NOUN_FORMS and not past_form(word):
        before = []                                         # "no keep it private"
    if before[:1] == ["no"] and start == first and len(before) > 1 \
            and before[1] in ("i", "we", "it", "that", "you", "thank", "thanks"):
        before = before[1:]                                 # "no i'm all set" answers, it negates nothing
        start += 1
    if {"if", "unless"}.intersection(before[max((n for n, w in enumerate(before) if w in NEGATIONS),
                                                default=0):]) \
            or start > 2 and words[start - 1] == "as" and "long" in words[start - 3:start]:
        return "wish"                                       # "no late fee if it is paid by Friday"
    if NEGATIONS.intersection(before) and {"mind", "minded", "object", "objected"}.isdisjoint(before):
        negations = [j for j in range(start, i) if words[j] in NEGATIONS]
        said = negations[-1]
        if not (words[said] == "no" and words[said + 1] in ("problem", "longer", "worries", "fee", "charge")
                or (words[said] == "without" or words[said - 1] == "with") and past_form(word)):
            return "negated"                                # "a bouquet without lilies was ordered" is one
    if CONDITIONS.intersection(before) or "after" in before and before[-1] in ("is", "are"):
        return "wish"
    if "from" in before and "being" in before:
        return "negated"                                    # "an error kept it from being booked"
    if "message" in words[first:i] and {"that", "saying"}.intersection(words[first:i]):
        return "wish"                                       # what a message said
    if mark.last - i > 1 and words[mark.last - 1] == "be" \
            and words[mark.last] in ("connected", "heard", "sure", "certain", "seen"):
        return "noun"                                       # the line, not the task
    if word == "went" and words[mark.last] in ("another", "someone", "somebody", "something"):
        return "noun"                                   # "we went with another company" takes nothing here
    if before[-1:] and before[-1] in ("is", "are") and not SPECIFIC.isdisjoint(words[i:mark.last]) \
            and words[mark.last] not in ("until", "till", "to", "now"):
        return "wish"                                       # "the fee is waived under $1,000" is a rule
    if word in ("moved", "changed", "switched") \
            and not {"request", "choice", "preference"}.isdisjoint(before):
        return "noun"                                       # "the request moved from one place to another"
    if word == "moved" and (words[mark.last] in MOVES or mark.last == last
                            and not BE_FORMS.intersection(before)
                            or words[i - 1] in ("i", "we")
                            and not (words[mark.last] in DETERMINERS
                                     | {"it", "that", "them", "you", "him", "her"})):
        return "noun"                                       # "the drive's too far since I moved"
    if words[i - 1] in ("only", "tentatively", "provisionally"):
        return "wish"                                       # "is only pencilled in"
    if words[i - 1] in ("first", "initially", "originally") and i - 1 > start \
            and words[i - 2] not in DETERMINERS:
        return "wish"                                       # "first agreed, then …": not what came out
    if word in ("chose", "opted", "elected") and words[mark.last] == "to" \
            or word == "added" and words[mark.last] in SAID_NEXT \
                and words[mark.last + 1] not in ("to", "on", "in"):
        return "noun"                                       # "chose to stay as they are"
    if words[mark.last - 1] == "through" and words[mark.last] in DETERMINERS:
        return "noun"                                       # "the book went through the returns slot"
    if words[i:mark.last] in (["was", "taken"], ["were", "taken"]) \
            and (words[mark.last] in ("for", "from", "with", "as", "to", "at", "off", "up")
                 or {"option", "offer", "choice"}.intersection(before)):
        return "noun"
    if word[:4] in ("kept", "keep") and ("from" in words[mark.last:min(mark.last + 5, last)]
                                         or words[mark.last] in ("for", "on", "open", "until")):
        return "noun"
    if word == "kept" and after[:1] and after[0] in ("none", "nothing"):
        return "noun"
    if word in NOUN_FORMS and before[-1:] == ["successful"]:
        return "done"
    if word in NOUN_FORMS:
        if after[:1] == ["failed"] or after[1:2] == ["failed"]:
            return "negated"
        if GETS.intersection(before[-2:]):
            return "done"                                   # "got confirmation", "got the reservation"
        end = next((k for k in range(i + 1, min(i + 9, last)) if words[k] in CLAUSE_STOPS), min(i + 9, last))
        made = any(words[k] in MAKES and (k == i + 1 or words[k - 1] in AUXILIARY_BEFORE)
                   for k in range(i + 1, end)) \
            and not MODALS.intersection(words[i + 1:i + 5])
        return "done" if made and not WISHES.intersection(before) else "noun"
    past = past_form(word)
    if "to" in words[max(i - 2, start):i] and (not past or words[i - 1] in ("be", "to")):
        return "done" if ACHIEVED.intersection(before) else "wish"
    if MODALS.intersection(before) and not ("was" in before or "were" in before):
        return "wish"
    if word.endswith("ing") and WISHES.intersection(before):
        return "wish"
    if word == "failed" and before[-1:] and (before[-1] in DETERMINERS or before[-1] == "s"):
        return "noun"                                       # "a failed clutch"
    if mark.tag.split(" ")[0] in STATES:
        return "done"
    if word.endswith("ing") and before[-1:] and before[-1] in ("after", "by", "ended", "up", "on"):
        return "done"
    if past and not before and start > first and words[start - 1] == "and":
        lead = words[clause_start(text, start - 1, first):start - 1]
        if "if" in lead or {"to", "be"} <= set(lead):
            return "wish"                                   # "if the lock has to be drilled and replaced"
    if past and before[-1:] != ["been"] \
            and any(before[k:k + 2] == ["to", "have"] and BE_FORMS.isdisjoint(before[k:])
                    for k in range(len(before) - 2)):
        return "wish"                                       # "booked in to have two tyres replaced"
    if {"get", "gets", "getting", "be", "being"}.intersection(before[-2:]):
        return "wish"                                       # "I get paid on Friday"
    if not (past or mark.last > i + 1 or word.endswith("s")):
        return "base"
    if before and before[-1] in DETERMINERS - {"its"} \
            and not {"has", "have", "had", "holds", "got", "with"}.intersection(before[-3:-1]) \
            and mark.last < last and text.linked(mark.last) and words[mark.last] not in MAKES \
            and words[mark.last] not in FUNCTION_WORDS:
        return "noun"
    if before and before[-1] < ":" and not CODE_LABELS.intersection(before[-2:-1]):
        return "noun"                                       # "instead of the 5 booked"
    if past and not BE_FORMS.intersection(before) \
            and {"want", "wants", "wanted", "needs"}.intersection(before) \
            and "to" not in before:
        return "wish"                                       # "wants both front tyres replaced"
    if WISHES.intersection(before[-3:]) and before[-1] != "call" and "have" in before[-3:] and "to" in before:
        return "wish"
    return "done"


def stems_in(text, first, last):
    """The outcome words of a sentence with their moods."""
    found = []
    for mark in find_marks(text, "outcomes", first, last):
        stem, sign = mark.tag.rsplit(" ", 1)
        found.append(Stem(stem, sign, mood_of(text, mark, first, last), mark.first, mark.last))
    return found


Event = namedtuple("Event", "sign stems rule first last number callee context bound soft")
# sign: "+" agreed or done, "-" refused, cancelled or failed, "~" left open; stems: of which outcomes it is
# evidence; rule: None when it was said in so many words; first, last: its words; number: its utterance;
# context: what the question that it answers names; bound: the answer itself names it ("the camp, no"); soft:
# it answers no question that decides the call, and counts only for a claim that names what it is about
Asked = namedtuple("Asked", "speaker ask first last")   # the utterance before: its last question, its words

POSITIVE = frozenset("confirm accept book reschedule complete".split())
# claimed stem: the stems whose evidence supports it.
# "yes" is an agreement to what was asked, "refuse" one refused.
FAMILIES = {
    "confirm": "confirm accept book reschedule complete yes",
    "accept": "accept confirm book reschedule complete yes", "book": "book confirm complete reschedule yes",
    "reschedule": "reschedule confirm book accept complete yes",
    "complete": "complete book confirm yes", "cancel": "cancel opt-out", "decline": "decline refuse cancel",
    "no-answer": "no-answer voicemail wrong-number", "voicemail": "voicemail",
    "unavailable": "unavailable refused",
    "fail": "fail unavailable", "opt-out": "opt-out", "wrong-number": "wrong-number"}
FAMILIES = {claimed: frozenset(stems.split()) for claimed, stems in FAMILIES.items()}


def events_of(dialogue):
    """What the call decided, in order: the answers to questions, the deeds and failures that were stated."""
    events, asked, text = [], None, dialogue.text
    loud = {text.sentence(mark.first)[0]
            for table in ("cues", "outcomes") for mark in find_marks(text, table)}
    for utterance in dialogue.utterances:
        if utterance.recorded or utterance.speaker == "other":
            asked = None
            continue
        for sentence in utterance.sentences:
            found = sentence_events(dialogue, sentence, asked, events[-1:]) if sentence.first in loud else []
            if not found:
                found = asked and taken_offer(dialogue, sentence, asked) \
                    or told_deed(dialogue, sentence, asked)
            events += found if dialogue.spoken or not dialogue.recorded else [
                event for event in found if event.sign != "+"]          # nobody was there to hear of a deed
        asks = [sentence for sentence in utterance.sentences if sentence.asks]
        asked = Asked(utterance.speaker, asks[-1] if asks else None,
                      max(utterance.first, utterance.last - MOST_ASKED), utterance.last)
    return events


ORDERS = frozenset("need order get ordering".split())
TAKES = frozenset("do take give have go".split())
SPEAKERS_OF = frozenset("i we he she they".split())         # "Friday we drive home" takes nothing


YES_STEMS, FAIL_STEMS, ORDERED = frozenset(["yes"]), frozenset(["fail"]), frozenset(["yes", "book"])


def agreed(sentence, first, last, stems=YES_STEMS):
    """The event of an answer that these words of a sentence are, as a list."""
    return [Event("+", stems, "answered_question", first, last, sentence.number, sentence.speaker == "callee",
                  frozenset(), False, False)]


def taken_offer(dialogue, sentence, asked):
    """The event of a callee who says no more than a day or time that was just offered ("Friday at one or at
    four?"
    - "At four."), who orders what was asked for, of an agent who settles a day ("Friday it is"); or []."""
    text, callee = dialogue.text, sentence.speaker == "callee"
    words, question = text.words[sentence.first:sentence.last], text.words[asked.first:asked.last]
    said = dialogue.mentions_in(sentence.first, sentence.last, 4)
    if callee and question[-4:] in (["what", "would", "you", "like"], ["can", "i", "get", "you"]) \
            and things(words) \
            and not find_marks(text, "outcomes", sentence.first, sentence.last):
        return agreed(sentence, sentence.first, sentence.last, ORDERED)     # "Can I get a large pepperoni?"
    if not said or sentence.asks:
        return []
    if callee and words[:2] in (["i", "ll"], ["we", "ll"]) and words[2] in TAKES \
            and said[0].first == sentence.first + 3:
        # "Would a gift be possible?" - "I'll do thirty."
        return agreed(sentence, sentence.first, said[0].last)
    # the agent: "Noon on Saturday it is.", "See you Friday."
    if not callee:
        settles = words[-2:] == ["it", "is"] or ["see", "you"] in (words[:2], words[1:3])
        if not settles and len(things(words)) < 4 and (NEGATIONS | SPEAKERS_OF).isdisjoint(words) \
                and not {"can", "could"}.isdisjoint(question):
            wished = {key for mention in dialogue.mentions_in(asked.first, asked.last, 9)
                      if mention.kind == DATE_TIME for key in mention.keys}
            # "can it be six?" - "Six, then."
            if any(not wished.isdisjoint(mention.keys) for mention in said):
                return agreed(sentence, said[0].first, said[0].last)
        return [Event("+", DONE_STEMS, None, said[0].first, sentence.last, sentence.number, False,
                      frozenset(said[0].keys), False, False)] if settles else []
    if not {"what", "which"}.isdisjoint(question) and not ORDERS.isdisjoint(question) \
            and NEGATIONS.isdisjoint(words) \
            and any(mention.kind == NUMERIC and mention.unit not in CURRENCY_CODES
                    and text.linked(mention.last)
                    and "=" not in "".join(mention.keys) for mention in said):
        # "What do you need?" - "Six bags of …"
        return agreed(sentence, said[0].first, said[-1].last, ORDERED)
    if len(things(words)) > 1 or not (NEGATIONS | CONDITIONS | SPEAKERS_OF).isdisjoint(words) \
            or find_marks(text, "refused", sentence.first, sentence.last):
        return []
    offered = {key for mention in dialogue.mentions_in(asked.first, asked.last, 20)
               if mention.kind == DATE_TIME for key in mention.keys}
    taken = [mention for mention in said if not offered.isdisjoint(mention.keys)]
    offers = asked.ask and asked.ask.asks == "commit" or not OFFERS.isdisjoint(question) \
        or question[-1:] == ["please"]
    return agreed(sentence, taken[0].first, taken[0].last) if taken and offers else []


PARTICIPLES = frozenset("put set made taken sent written given let cut left drawn".split())
NO_DEEDS = frozenset(           # "I've asked the warehouse" settles nothing
    "tried asked called checked looked noticed received talked missed waited lived decided worked moved "
    "wanted learned visited listened mentioned explained reached phoned emailed texted messaged "
    "contacted".split())
HAVE = frozenset(["ve", "have"])
LISTS = frozenset("list waitlist waiting standby".split())
LISTED = frozenset("list waitl wait stand".split())        # their roots
TO_OTHERS = frozenset("you him her it that them this your".split())


def told_deed(dialogue, sentence, asked):
    """The event of a deed that a side tells as its own, whatever its verb: "I've changed the return to noon";
    of the callee's only those done for the other side ("I've put you over to that"); or []."""
    words, first, last = dialogue.text.words, sentence.first, sentence.last
    if sentence.asks:
        return []
    listed = next((i for i in range(first + 2, last) if words[i] in LISTS and words[i - 1] in ("the", "our")
                   and words[i - 2] == "on"), None)
    # "A waiting list?" - "I can put you on it."
    if asked and not listed and not LISTS.isdisjoint(words[asked.first:asked.last]):
        listed = next((i for i in range(first + 1, last) if words[i] == "on" and "put" in words[i - 2:i]),
                      None)
    # "Joel's on the list for two"
    if listed and NEGATIONS.union(CONDITIONS).isdisjoint(words[first:listed]):
        return [Event("+", frozenset(["complete"]), None, listed, listed + 1, sentence.number,
                      sentence.speaker == "callee", LISTED, True, True)]
    if HAVE.isdisjoint(words[first:last]):
        return []
    for i in range(first, last - 2):
        if words[i] in ("ve", "have") and words[i - 1] in ("i", "we", "they") and i > first:
            j = i + 1 + (words[i + 1] in ("just", "now", "also", "already", "gone", "and"))
            deed = words[j].endswith("ed") and words[j] not in NO_DEEDS or words[j] in PARTICIPLES
            if deed and j < last and CONDITIONS.isdisjoint(words[first:i]) and (
                    sentence.speaker == "agent" or words[i - 1] == "we"
                        or not TO_OTHERS.isdisjoint(words[j + 1:min(j + 5, last)])):
                named = named_words(dialogue.text, j + 1, last)
                # of a thing: it counts for a claim about that, or its values
                if named:
                    named = named.union(*(SYNONYMS.get(name, ()) for name in named), *(
                        mention.keys for mention in dialogue.mentions_in(i, last, 9)))
                return [Event("+", DONE_STEMS, None, i, j + 1, sentence.number, sentence.speaker == "callee",
                              named, bool(named), bool(named))]
    return []


MOST_ASKED = 400                # words of the utterance before that an answer is held against: its last ones
OBJECTS = frozenset(            # what a failure must be about to be a failure of the call's purpose
    "reservation reservations booking bookings appointment appointments table tables ticket tickets payment "
    "payments order orders request transaction room rooms visit ride purchase transfer alarm event refund "
    "delivery slot schedule card cab car bus hotel flight meeting session viewing change it that this them "
    "trip rental".split())
BUSY_SUBJECTS = frozenset("week weekend morning afternoon evening night slot slots day that we he she month "
                          "everything time times place".split())
FIND_VERBS = frozenset("find hear catch see locate understand recommend tell say help agree reach think ask "
                       "remember recall imagine read provide give offer answer discuss disclose comment".split())
DONE_STEMS = frozenset("confirm book complete yes".split())


def sentence_events(dialogue, sentence, asked, before):
    """The events of one sentence. asked is the other side's utterance before,
    with the question it ended on."""
    text, events = dialogue.text, []
    first, last, callee = sentence.first, sentence.last, sentence.speaker == "callee"
    topic = asked.ask.asks if asked and asked.ask else None
    marks, stems = find_marks(text, "cues", first, last), stems_in(text, first, last)
    parts = sorted(marks + stems, key=lambda part: part.first) if stems and marks else marks or stems
    if sentence.asks:                                       # of a question only what opens it is an answer
        asked_at = min((mark.first for mark in find_marks(text, "asks", first, last) if mark.tag == "else"),
                       default=0)
        parts = [part for part in parts if part.first == first and part.__class__ is Mark and callee
                 or sentence.asks == "else" and part.last <= asked_at   # "I can't make that, anything else?"
                 or part.__class__ is Mark and part.tag in ("fail", "undone", "refuse") and not callee
                 and part.last <= clause_start(text, last - 1, first) or callee and part.__class__ is Stem
                 and part.stem == "cancel" and requested(text, part.first)]
    for part in parts:
        if part.tag == "ok" if part.__class__ is Mark else False:
            if callee and asked and text.words[part.first] == "no" and named_words(
                    text, part.first, part.last) & named_words(text, asked.first, asked.last):
                part = part._replace(tag="no")              # "do you want it rushed?" - "no rush"
        if part.__class__ is Stem:
            event = stem_event(dialogue, sentence, part, callee)
        elif part.tag in ANSWERS and callee:
            event = answer_event(dialogue, sentence, part, topic, asked)
        elif part.tag in ANSWERS:
            last_one = before + events
            # "No, I don't want one." - "That's fine."
            taken_note = part.tag in ("assent", "ok") and last_one and last_one[-1].sign == "-" \
                and last_one[-1].callee \
                and last_one[-1].number == sentence.number - 1 and not any(
                    mention.kind == DATE_TIME or "clock" in mention.slots
                    for mention in dialogue.mentions_in(last_one[-1].first, last, 9))
            event = asked and not taken_note and part.tag in ("assent", "refuse", "no", "pending", "ok") \
                and accept_event(dialogue, sentence, part, asked)
        else:
            event = statement_event(dialogue, sentence, part, topic, callee)
        last_one = (before + events)[-1:]
        if event and event[0] == "~" and last_one and last_one[0].number == sentence.number \
                and last_one[0].sign == "-" and last_one[0].callee:
            continue                                # a refusal with its reason: "no, that's not till August"
        if event and event[0] == "+" and event[2] and last_one and last_one[0].number == sentence.number \
                and last_one[0].sign == "-" and last_one[0].rule and \
                not {"yes", "yeah", "yep", "keep", "works"}.intersection(text.words[part.first:part.last]) \
                and not {"actually", "wait"}.intersection(text.words[last_one[0].first:part.first]):
            continue                                # "no, that's no good": nothing after the no takes it back
        soft = bool(not event and callee and part.__class__ is Mark and asked
                    and not (part.tag == "no" and (
                        counters(dialogue, sentence, part) or is_determiner(text, part.first)
                        or minds(text, asked.first, asked.last) or text.words[part.first - 1] == "oh"
                        or text.words[part.last:part.last + 3] in NO_MATTER
                        or asked.ask and WISHED.isdisjoint(text.words[asked.ask.first:asked.ask.last]))))
        event = soft_answer(part) if soft else event
        if not event and not callee and asked and part.__class__ is Mark and part.tag == "no" \
                and part.first == first:
            named = named_words(text, first, last) & named_words(text, asked.first, asked.last)
            # "Breakfast is five extra." - "No breakfast, thanks."
            if named:
                events.append(Event("-", REFUSE_STEMS, None, part.first, part.last, sentence.number, False,
                                    named,
                                    True, True))
        if not event and not callee and asked and part.__class__ is Mark and part.tag == "pending" \
                and sentence.speaker == "agent":            # "I'd have to ask about a rabbit."
            named = named_words(text, first, last)
            if named:
                events.append(Event("~", YES_STEMS, None, part.first, part.last, sentence.number, False,
                                    named,
                                    True, True))
        context, bound = context_of(dialogue, sentence, part, parts, event, asked, soft) if event \
            else ((), False)
        if event and event[0] == "~" and not context and {"promise", "guarantee"}.intersection(
                # "I can't promise a room at eleven" leaves that open
                text.words[part.first:part.last + 1]):
            context = frozenset(key for mention in dialogue.mentions_in(part.last, last, 4)
                                for key in mention.keys)
            soft = bound = bool(context)
        opens = part.first - dialogue.utterances[sentence.number].first < 4
        if event and (not soft or bound or context and (event[0] == "~" or opens and part.tag in (
                "yes", "no", "ok") and not (asked.ask and asked.ask.asks == "else" and not (
                    part.tag == "no" and "would" in text.words[asked.first:asked.last])))):
            events.append(Event(*event, part.first, part.last, sentence.number, callee, context, bound, soft))
            refused = denied_words(text, asked) if callee and event[0] == "+" and asked and not soft else ()
            if refused:                                 # "fourteen children, no food." - "That's right."
                events.append(events[-1]._replace(sign="-", stems=REFUSE_STEMS, context=refused, bound=True,
                                                  soft=True))
            # "just the booster" leaves the rest of what was offered
            if soft and part.tag == "only":
                rest = named_words(text, asked.first, asked.last) - context
                events.append(events[-1]._replace(sign="-", stems=REFUSE_STEMS, context=rest))
    return events


REFUSE_STEMS = frozenset(["refuse"])
NO_MATTER = (["that", "s", "fine"], ["that", "s", "okay"], ["that", "s", "ok"], ["it", "s", "fine"])
WISHED = frozenset("would want like need shall should interested can could may will do d ll keen ready".split())
MINDS = frozenset("mind objection objections reason".split())      # "would you mind?" - "No, not at all."


NO_DENIALS = frozenset("worries worry problem problems trouble rush hurry pressure bother".split())


def minds(text, first, last):
    """Is it asked whether somebody minds? There a "no" agrees."""
    return any(text.words[i] in MINDS and text.words[i - 1] not in DETERMINERS - {"any"}
               for i in range(first, last))


def denied_words(text, asked):
    """What the other side's utterance says is not wanted ("no food package"), as roots."""
    found = frozenset()
    for i in range(asked.first, asked.last - 1) if "no" in text.words[asked.first:asked.last] else ():
        if text.words[i] == "no" and text.gaps[i + 1] == " " and text.words[i + 1] not in NO_DENIALS:
            end = next((j for j in range(i + 1, min(i + 4, asked.last)) if text.gaps[j] != " "), i + 4)
            found |= named_words(text, i + 1, min(end, asked.last))
    return found


def soft_answer(mark):
    """What a word of the callee says of the thing that it is bound to,
    where no question that decides the call was asked: (sign, stems, rule) or None."""
    if mark.tag in ("no", "refuse", "except", "trouble"):
        return "-", REFUSE_STEMS, "answered_question"
    if mark.tag in ("hedge", "pending"):
        return "~", YES_STEMS, None
    if mark.tag in ("only", "yes", "ok"):
        return "+", YES_STEMS, "answered_question"
    return None


def context_of(dialogue, sentence, part, parts, event, asked, soft):
    """What an event is about, as roots, and whether it names that itself.

    "The camp, no" is about the camp whatever else was asked; a bare "no" about what the question names.
    """
    text, callee = dialogue.text, sentence.speaker == "callee"
    question = asked.ask if asked and callee else None
    if callee and asked and not asked_names(text, asked).isdisjoint(named_words(text, *sentence[:2])):
        own = own_words(text, sentence, part, parts) & asked_names(text, asked)
        if own:
            return own, True
    if question and (event[2] == "answered_question" or event[0] == "~"
                     or event[0] == "-" and question.asks != "else"):
        context = named_words(text, question.first, question.last)
        if not context and (event[0] == "-"
                            or not PRONOUNS.isdisjoint(text.words[question.first:question.last])):
            context = named_words(text, asked.first, asked.last)    # "It's ten pounds. Would you like one?"
        if not context and asked.ask.last - asked.ask.first < 7 and sentence.number > 1:
            # "And the old table?" - "Ten pounds. Shall we?"
            before = dialogue.utterances[sentence.number - 2]
            context = named_words(text, before.first, before.last) if "?" in text.gaps[before.last] \
                else context
        return context, False
    if soft and callee and not asked.ask and event[0] in "+-" and (any(
            pair.issubset(text.words[asked.first:asked.last]) for pair in REQUESTING)
            or not ADVISES.isdisjoint(text.words[asked.first:asked.last])):
        return named_words(text, asked.first, asked.last), False
    if event[0] == "~" and soft and callee:
        return named_words(text, asked.first, asked.last), False
    if event[0] == "-" and not callee and asked:        # "I can't do that": what was asked for just before
        return named_words(text, asked.first, asked.last) | named_words(text, *sentence[:2]), False
    return frozenset(), False


ADVISES = frozenset("recommends recommend recommended suggests suggest suggested advises advise".split())
# "she asked if you could …"
REQUESTING = ({"there", "s"}, {"we", "have"}, {"if", "could"}, {"if", "can"}, {"would", "like"},
              {"d", "like"})


def asked_names(text, asked):
    """What the utterance before names."""
    key = "named", asked.first
    if key not in text.cache:
        text.cache[key] = named_words(text, asked.first, asked.last)
    return text.cache[key]


POINTING = frozenset("yours that it one them those".split())
PRONOUNS = frozenset("one that it them those this".split())


def own_words(text, sentence, part, parts):
    """What a sentence names with one of its parts: before it, as far as the part before, else behind it."""
    start = max([one.last for one in parts if one.last <= part.first], default=sentence.first)
    end = min([one.first for one in parts if one.first >= part.last], default=sentence.last)
    # "got it, so I don't need yours"
    stops = [i for i in range(start, end) if text.words[i] in CLAUSE_STOPS] \
        if part.__class__ is Stem or text.words[part.last] not in POINTING else []
    start = max([i for i in stops if i < part.first], default=start)
    end = min([i for i in stops if i >= part.last], default=end)
    if part.__class__ is Mark \
            and (part.tag not in ("except", "only", "refuse") or text.words[part.first] == "rather"):
        return named_words(text, start, part.last)
    return named_words(text, part.first, end) or named_words(text, start, part.last)


def requested(text, i):
    """Is a word asked of the other side: can you …, could we …, would you please …?"""
    near = text.words[max(0, i - 4):i]
    return bool({"can", "could", "would", "will", "please"}.intersection(near)) \
        and "?" in text.gaps[text.sentence(i)[1]] \
        or "please" in near


# what a caller and a summary call by different names: the first stands for all
SYNONYMS_TABLE = """
car, vehicle, van, auto; cab, taxi, ride; parcel, package, delivery, delivered, shipment, courier
tablets, pills, medication, medicine, prescription, repeat, refill; fee, charge, surcharge, penalty
flat, apartment, unit, property, house, place, condo; picture, photo, image, photograph
contract, lease, agreement; repair, fix, mend, weld, patch, fixed; replace, swap, exchange, replacement
waive, remove, drop, waived; extend, longer, keep, extension; renew, renewal, continue
refund, reimburse, money; pay, payment, paid, money, card, cash, transfer, charge; upgrade, bigger, better
kid, child, children, son, daughter, baby; doctor, physician; dentist, dental; physio, physiotherapist
cancel, cancellation, stop, stopped; discount, off, reduction, cheaper; deposit, upfront
phone, mobile, cell; sofa, couch; bill, invoice; film, movie; garbage, bin, rubbish, trash; queue, list
holiday, vacation; engineer, technician, mechanic, plumber, electrician; checkup, check, examination, exam
jab, vaccine, vaccination, shot, booster; teeth, tooth; eye, optician; quote, estimate, price
gift, donation, donate, contribution; lesson, class; meeting, interview; luggage, baggage, bags; licence, license
programme, program"""
SYNONYMS = {}                   # root -> the roots of what it may be called instead


@lru_cache(maxsize=4096)
def root(word):
    """What the forms of a word share, roughly; never a word by itself.

    >>> [root(word) for word in ("rushed", "rush", "deliveries", "delivered", "prices", "classes", "need")]
    ['rush', 'rush', 'deliv', 'deliv', 'pric', 'class', 'need']
    """
    if word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    for ending in ("ed", "ing"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            word = word[:-len(ending)]
    return (word[:-1] if word.endswith("e") else word)[:5]


for _row in SYNONYMS_TABLE.strip().replace("\n", ";").split(";"):
    _roots = list(map(root, _row.strip().split(", ")))
    for _root in _roots:
        SYNONYMS[_root] = SYNONYMS.get(_root, frozenset()).union(_roots)


@lru_cache(maxsize=8192)
def thing_of(word):
    """The root of a word that names something: of no number, no function word, no word of money or time; or
    None."""
    return root(word) if len(word) > 2 and word > ":" and word not in NO_THINGS else None


@lru_cache(maxsize=8192)
def name_of(word):
    """The root of a word that names something, and is no person and no word of many phrases; or None."""
    if not PHRASES:
        build_phrases()
    return thing_of(word) if PHRASE_WORDS.get(word, 0) < 3 and word not in PEOPLE \
        and word not in INTERJECTIONS \
        else None


def things(words):
    """The roots of the words that name something."""
    return frozenset(filter(None, map(thing_of, words)))


def named_words(text, first, last):
    """The roots of what a run of words names, without the words of speech acts and outcomes."""
    return frozenset(filter(None, map(name_of, text.words[first:last])))


OTHERS = frozenset("friend friends brother sister son daughter mom mother mum dad father boss colleague "
                   "coworker cousin buddy".split())
ANSWERS = frozenset("yes assent ok no refuse hedge pending takeback".split())
OFFERS = frozenset(
    "could can offer have ve available free or other another slot opening suggest instead".split())


def recited(dialogue, sentence, i):
    """Does the agent only recite what stands ("we have you booked in for Monday") to ask about
    it in the same breath?"""
    utterance, text = dialogue.utterances[sentence.number], dialogue.text
    if not utterance.sentences[-1].asks or utterance.sentences[-1].asks == "else":
        return False
    if text.words[i - 1] in ("ve", "have"):
        return False                                        # "I've put you in for Friday" tells a deed
    near = text.words[max(sentence.first, i - 5):i + 1]
    return bool({"have", "ve", "got", "re"}.intersection(near)) \
        and not {"been", "successfully"}.intersection(near) \
        and text.words[i - 1] not in ("have", "ve")


def stem_event(dialogue, sentence, stem, callee):
    """An outcome's word told as a fact, or as the callee's own wish to cancel or decline:
    (sign, stems, rule)."""
    text = dialogue.text
    words = text.words
    # "your policy renews in May" is no agreement
    if stem.stem in ("voicemail", "no-answer", "opt-out", "wrong-number") \
            or callee and stem.stem == "unavailable" and words[stem.first - 2] == "my" \
            or not callee and words[stem.first] == "renews":
        return None                                         # "my purse was taken"
    if callee and words[stem.first] in ("bought", "purchased", "ordered") and {"i", "we"} \
            & set(words[stem.first - 2:stem.first]):
        # "I've bought a treadmill", somewhere else or before
        return None
    if words[stem.first] == "booked" and is_busy(text, sentence.first, stem.first) and not any(
            just_agreed(dialogue, mention)
                for mention in dialogue.mentions_in(sentence.first, stem.first, 4)):
        return "-", frozenset(["unavailable", "refused"]), None
    if stem.mood == "done":
        sentences = dialogue.utterances[sentence.number].sentences
        if not callee and sentences[-1].asks and sentences[-2:-1] == [sentence] \
                and {"right", "correct", "true"}.intersection(words[sentences[-1].first:sentences[-1].last]):
            return None                                     # "We were told it was cancelled. Is that right?"
        if stem.sign == "+" and not callee \
                and (recited(dialogue, sentence, stem.first) or {"there", "currently"}.intersection(
                        words[clause_start(text, stem.first, sentence.first):stem.first])):
            return None
        # "it's renewed until May"
        renewed = stem.stem == "accept" and not callee and words[stem.first] in SPECIFIC
        return stem.sign, frozenset([stem.stem, "fail"] if stem.stem == "unavailable" and not callee
                                    else ["complete", "accept"] if renewed else [stem.stem]), None
    if stem.mood == "negated" and stem.stem != "unavailable":
        if stem.sign == "+":
            return "-", FAIL_STEMS if not callee else frozenset(["refuse"]), None
        return "+", YES_STEMS, None
    if not callee and stem.stem == "cancel" and stem.mood == "wish" \
            and words[stem.first - 1] in ("ll", "will") \
            and words[stem.first - 2] in ("i", "we") \
                and words[stem.last] in ("it", "that", "this", "your", "the", "for"):
        return "-", frozenset(["cancel"]), None             # "No problem, I'll cancel it."
    if callee and stem.sign == "-" and stem.mood in ("base", "wish", "noun") and not CONDITIONS.intersection(
            words[clause_start(text, stem.first, sentence.first):stem.first]) \
            and stem.stem in ("cancel", "decline"):
        return "-", frozenset([stem.stem]), None
    return None


def is_busy(text, first, i):
    """Does "booked" say that a time or a place is taken ("this week's booked", "we're all booked")?"""
    near = [word for word in text.words[max(first, i - 4):i]
            if word not in ("fully", "all", "completely", "already")]
    if near[-2:] in (["that", "s"], ["that", "is"]) and (i - first > 3 or text.words[first] == "that") \
            and not {"all", "already", "fully"}.intersection(text.words[max(first, i - 4):i]):
        return False                                        # "Estate from Friday, that's booked."
    if near[-2:-1] and near[-2] in ("he", "she") and near == text.words[max(first, i - 4):i] \
            and text.words[i + 1] not in ("up", "solid", "until", "till", "all", "then"):
        return False                                        # "Okay, he's booked and on the list."
    return len(near) > 1 and text.words[i + 1] not in ("for", "in", "on", "under", "at") \
        and near[-1] in ("s", "is", "are", "re", "was", "were") \
        and (near[-2] in BUSY_SUBJECTS or near[-2] in WEEKDAYS or near[-2] in NUMBER_WORDS or near[-2] < ":")


GO_VERBS = frozenset("do go have book buy pay sign join continue proceed commit change take keep be renew "
                     "get move switch talk hear participate answer give spend use accept agree".split())


RIGHT_ON = frozenset("up now away after before next on in here there through down by behind".split())


def words_of(text, mark):
    """The words of a mark."""
    return text.words[mark.first:mark.last]


def answer_event(dialogue, sentence, mark, topic, asked):
    """What the callee's word does with what was asked: (sign, stems, rule) or None."""
    text, tag, binding = dialogue.text, mark.tag, topic in ("commit", "recap")
    before = text.words[clause_start(text, mark.first, sentence.first):mark.first]
    if tag in ("yes", "assent", "ok") and before:
        if CONDITIONS.intersection(before) or tag == "ok" and NEGATIONS.intersection(before):
            return None
        if NEGATIONS.intersection(before[before[0] == "no":]):      # "I don't think that works"
            tag = "refuse" if tag == "assent" or binding else "no"
    if tag == "assent" and before and text.words[mark.first] == "that" and before[-1] not in OPENERS \
            and before[-1] not in ("think", "guess"):
        return None                                         # "the only time that works"
    if tag == "yes" and (mark.last - mark.first == 2 and text.words[mark.first] in ("i", "we")
                         and text.linked(mark.last)
                         or {"probably", "might", "maybe", "say"}.intersection(before)):
        return None                                         # "I'll stay as I am", "I'd probably say yes"
    if tag in ("yes", "assent") and text.words[mark.first] == "do" and text.words[mark.first - 1] == "you":
        return None                                         # "You do that." of a threat or a promise
    if tag in ("yes", "ok", "assent") and text.words[mark.last - 1] == "right" and text.linked(mark.last) \
            and text.words[mark.last] in RIGHT_ON:
        return None                                         # "right up to November"
    if tag == "yes" and "speaking" in text.words[mark.last:mark.last + 2]:
        return None                                         # "Yes, speaking." says who it is
    if tag == "yes" and text.words[mark.first] == "do" and before[-1:] and before[-1] in MODALS \
            and topic not in ("commit", "recap"):
        return None                                     # "We can do that" offers, it agrees to nothing yet
    if tag == "refuse" and words_of(text, mark)[:1] in (["can't"], ["cannot"], ["cant"]) \
            and text.words[mark.last - 1] == "do" \
            and thing_of(text.words[mark.last]) and asked and not (
                named_words(text, mark.last, mark.last + 1) & asked_names(text, asked)):
        return None                                         # "Her mam can't do stairs."
    if tag == "refuse" and text.words[mark.last - 1] == "to" and "want" in words_of(text, mark) \
            or tag == "refuse" and text.words[mark.last] == "to" and text.words[mark.last - 1] == "want":
        verb = text.words[mark.last + (text.words[mark.last] == "to")]
        if verb not in GO_VERBS and asked and root(verb) not in map(root, text.words[asked.first:asked.last]):
            return None                                     # "Just do it. I don't want to come back twice."
    if tag == "refuse" and text.words[mark.last - 1] == "work" and not binding and things(before):
        return None                                         # "the buzzer doesn't work"
    if tag == "refuse" and (OTHERS.intersection(before) or "if" in before):
        return None                                         # "my friend can't make it"
    if tag in ("pending", "takeback"):
        return None if topic == "else" else ("~", YES_STEMS, None)
    if tag == "hedge" and text.words[mark.first] == "let" and dialogue.mentions_in(
            mark.last, dialogue.utterances[sentence.number].last, 1):
        return None                                         # "Let me see. Standard check-out is at eleven."
    if tag == "hedge":
        return ("~", YES_STEMS, None) \
            if binding or topic in (None, "info") and asked and proposes(dialogue, asked) and (
                topic or text.words[mark.first] not in ("probably", "maybe", "perhaps", "likely")
                or not OFFERS.isdisjoint(text.words[asked.first:asked.last])) else None
    if tag in ("yes", "assent", "ok") and topic is None and asked and text.words[mark.first] != "see" \
            and only_promises(text, asked):
        return None                                         # "I'll call you back tomorrow." - "Do that."
    if topic == "else":
        needless = {"need", "want", "longer"}.intersection(text.words[mark.first:mark.last])
        return ("-", frozenset(["refuse"]), None) if tag == "refuse" and not needless else None
    if topic == "alter" and tag in ("yes", "ok", "no", "assent"):
        kept = find_marks(text, "cues", dialogue.utterances[sentence.number].first, mark.first)
        if tag == "no" or tag == "assent" or any(other.tag == "assent" for other in kept):
            return "+", YES_STEMS, "answered_question"
        cancels = [word for word in text.words[asked.ask.first:asked.ask.last] if word.startswith("cancel")]
        return ("-", frozenset(["cancel"]), "answered_question") if cancels else None
    if tag in ("refuse", "no") and asked and asked.ask and {"contact", "call", "text"}.intersection(
            text.words[asked.ask.first:asked.ask.last]) \
                and "again" in text.words[asked.ask.first:asked.ask.last]:
        return "-", frozenset(["opt-out", "refuse"]), "answered_question"
    if tag == "refuse":
        cancels = {"off", "out", "cancel", "scrap", "forget"}.intersection(text.words[mark.first:mark.last])
        return "-", frozenset(["refuse", "cancel"] if cancels else ["refuse"]), None
    if tag == "no" and text.words[mark.first - 1] == "oh" and text.words[mark.last] not in SUBJECTS \
            | {"thanks", "thank"} \
            and mark.first > sentence.first:
        return None                                         # "Oh no, poor Mei."
    # "Any reason why we shouldn't come?" - "None at all."
    if tag in ("no", "refuse") and asked and asked.ask and minds(text, asked.ask.first, asked.ask.last):
        return "+", YES_STEMS, "answered_question"
    if tag == "no" and mark.last - mark.first == 1 and is_determiner(text, mark.first):
        return None                                         # "no steps at all"
    if tag == "no" and topic is None and asked and text.gaps[mark.last] != " " \
            and mark.first - dialogue.utterances[sentence.number].first < 2 and proposes(dialogue, asked) \
            and not OFFERING.isdisjoint(text.words[asked.first:asked.last]):
        # "You want me to try one o'clock." - "No."
        return "-", frozenset(["refuse"]), "answered_question"
    if tag == "no":
        if not binding or counters(dialogue, sentence, mark):
            return None
        return "-", frozenset(["refuse"]), "answered_question"
    if binding:
        stems = stems_in(text, asked.ask.first, asked.ask.last)
        if stems and all(stem.mood == "negated" if stem.sign == "+"
                         else stem.mood == "done" and stem.stem in ("cancel", "decline")
                         for stem in stems):                # "nothing is approved yet, correct?" - "Yes."
            return "-", frozenset(["refuse"] + [stem.stem for stem in stems if stem.sign == "-"]), \
                "answered_question"
        return "+", YES_STEMS | asked_stems(text, asked), "answered_question"
    if tag == "assent":
        return "+", YES_STEMS, "late_acknowledgement"
    if tag == "yes" and topic is None \
            and (proposes(dialogue, asked) if asked else dialogue.mentions_in(mark.last, sentence.last)):
        return "+", YES_STEMS, "late_acknowledgement"
    return None


def only_promises(text, asked):
    """Did the other side only promise to write, call or look into it?"""
    deeds = {mark.tag for mark in find_marks(text, "actions", asked.first, asked.last)} - NO_PROMISES
    return bool(deeds) and deeds <= PROMISED_WORDS \
        and not find_marks(text, "outcomes", asked.first, asked.last) \
        and not OFFERS.intersection(text.words[asked.first:asked.last]) \
        and bool({"ll", "will"}.intersection(text.words[asked.first:asked.last]))


PROMISED_WORDS = OFFERED_DEEDS | {"ask", "check", "follow up"}


OFFERING = frozenset("want could would try shall offer suggest".split())


def is_determiner(text, i):
    """Is this "no" one of a plural: "no steps at all"?"""
    word = text.words[i + 1]
    if word in ("charge", "fee", "cost", "deposit", "extra"):
        return True
    return text.gaps[i + 1] == " " and word.endswith("s") and not word.endswith("ss") and len(word) > 4 \
        and word not in NOT_UNITS and word not in AUXILIARIES


def accept_event(dialogue, sentence, mark, asked):
    """The agent takes, or turns down, what the callee offered: a value, or an answer that was asked for."""
    text = dialogue.text
    if mark.tag == "refuse":                                # "sorry, I could not make it"
        told = counters(dialogue, sentence, mark) and NEGATIONS.isdisjoint(text.words[mark.first:mark.last])
        return None if told else ("-", FAIL_STEMS, None)    # "Wednesday clashes; Friday, please" is none
    if mark.tag == "no" and not asked.ask \
            and {"thank", "thanks"}.intersection(text.words[mark.first:mark.last]) \
            and OFFERS.intersection(text.words[asked.first:asked.last]):
        return "-", frozenset(["refuse"]), None             # "I could do one by the bar." - "No, thank you."
    if not (asked.ask or proposes(dialogue, asked)) or mark.tag in ("assent", "ok") and any(
            other.tag == "hedge" for other in find_marks(text, "cues", asked.first, asked.last)):
        return None                                     # "I'll find out and ring you back." - "That's fine."
    first, last = sentence.first, sentence.last
    if mark.tag == "ok":                                    # "Expedited, please."
        return ("+", YES_STEMS, "answered_question") \
            if text.words[mark.last - 1] == "please" and mark.last == last \
            and last - first < 6 and text.words[first] != "please" else None
    if mark.tag == "pending" and "decide" in text.words[mark.first:mark.last]:
        return "~", YES_STEMS, None                         # "I'll give her the quote and she'll decide."
    if mark.tag in ("no", "pending"):                       # "Is it confirmed now?" - "Not yet."
        return ("-", FAIL_STEMS, None) if asked.ask and asked_stems(text, asked) else None
    if NEGATIONS.intersection(text.words[clause_start(text, mark.first, first):mark.first]):
        return None
    return "+", YES_STEMS, "answered_question"


LIMITS = frozenset("before after until till til at between during on unless too so this early late".split())
OUTCOME_WORDS = frozenset(phrase
                          for row in OUTCOMES_TABLE.split("\n") for phrase in row.split(": ")[-1].split(", ")
                          if " " not in phrase)


def statement_event(dialogue, sentence, mark, topic, callee):
    """Deeds and failures that were stated: (sign, stems, rule) or None."""
    text = dialogue.text
    words = text.words
    if mark.tag == "fail":
        about = set(words[sentence.first:sentence.last])
        vague = {"issue", "problem", "error", "trouble", "into", "wrong"}.intersection(
            words[mark.first:mark.last])
        if CONDITIONS.intersection(words[clause_start(text, mark.first, sentence.first):mark.first]) \
                or (not about & (OBJECTS - PRONOUNS if callee else OBJECTS) and not about & OUTCOME_WORDS
                    if vague or callee and words[mark.first][:3] in ("cou", "can")
                    else words[mark.last] in FIND_VERBS or "answer" in words[mark.last:mark.last + 3]):
            return None
        return "-", FAIL_STEMS, None
    if mark.tag == "done" and topic != "else":
        before = words[clause_start(text, mark.first, sentence.first):mark.first]
        puts = words[mark.first] == "put" and words[mark.last] != "as" \
            and words[mark.last - 1] in ("down", "in") \
            and before[-2:] in (["i", "ll"], ["we", "ll"])
        if NEGATIONS.intersection(before) or CONDITIONS.intersection(before) or MODALS.intersection(before) \
                and not puts \
                or {"having", "getting", "hope", "hopes"}.intersection(before) \
                or words[mark.last - 1] == "done" and before[-1:] \
                    and before[-1] in ("those", "them", "it", "that") \
                and {"had", "have", "get"}.intersection(before[-3:]) \
                or words[mark.last - 1] == "the" and words[mark.last] not in OBJECTS \
                or words[mark.last - 1] == "playing" and words[mark.last] == "at" \
                or not callee and recited(dialogue, sentence, mark.first):
            return None
        return "+", DONE_STEMS, None
    if mark.tag == "undone":
        return "-", frozenset(["cancel"]), None
    if callee and mark.tag == "wrong":
        return "-", frozenset(["wrong-number"]), None
    if callee and mark.tag == "optout" and not LIMITS.intersection(words[mark.last:mark.last + 3]):
        return "-", frozenset(["opt-out", "refuse"]), None
    return None


def asked_stems(text, asked):
    """The outcomes that a question names."""
    return frozenset(stem.stem for stem in stems_in(text, asked.ask.first, asked.ask.last))


def counters(dialogue, sentence, mark):
    """Does a "no" bring another value or wish with it ("no, make it eight")?
    Then nothing is refused but the value."""
    utterance = dialogue.utterances[sentence.number]
    words = dialogue.text.words[mark.last:min(mark.last + 12, utterance.last)]
    return bool({"change", "instead", "actually", "meant"}.intersection(words)
                or "make" in words and "do" not in words            # but "I'll make do with what I have"
                or dialogue.mentions_in(mark.last, utterance.last, 1))


def proposes(dialogue, asked):
    """Did the other side's utterance name a value or an outcome that can be agreed to?"""
    return bool(dialogue.mentions_in(asked.first, asked.last, 1) or find_marks(
        dialogue.text, "outcomes", asked.first, min(asked.last, asked.first + 1000)))


# ------------------------------------------------------------------------------------------- standing


def resolve(dialogue):
    """Settle what can be settled of ambiguous mentions, in place.

    One reading said outright elsewhere in the call is the one meant ("two in the afternoon … two, please"); a
    part of the day said for itself before ("Saturday evening") gives a bare hour its half.
    """
    outright = {next(iter(mention.keys)) for mention in dialogue.mentions if None in mention.keys.values()}
    parts = None
    for n, mention in enumerate(dialogue.mentions):
        if len(mention.keys) < 2:
            continue
        unsure = [key for key, rule in mention.keys.items() if rule == "ambiguous_reading"]
        clocks = [key for key in unsure if ":" in key]
        # "the fourteenth of May" … "the fourteenth"
        if mention.kind == DATE_TIME and set(mention.keys.values()) == {"call_date"} \
                and len({key[4:] for key in mention.keys}) == 1:
            said = outright.intersection(mention.keys)
            if len(said) == 1:
                drop(dialogue, n, mention.keys.keys() - said)
        for group in (clocks, [key for key in unsure if ":" not in key]):
            said = [key for key in group if key in outright]
            if group is clocks and dialogue.text.words[mention.first - 1] in ("until", "till", "to"):
                # "breakfast, seven until half past ten": not "at night"
                said = []
            if len(group) == 2 and len(said) == 1:
                drop(dialogue, n, set(group) - set(said))
                clocks = []
        if len(clocks) == 2 and "12:" not in (clocks[0][:3], clocks[1][:3]):
            parts = day_parts(dialogue) if parts is None else parts
            half = half_around(dialogue, mention, parts)
            wrong = {key for key in clocks
                     if half and (key < "12:00") != (to_hour(int(key[:2]) % 12 or 12, half) < 12)}
            if len(wrong) == 1:
                drop(dialogue, n, wrong)


def drop(dialogue, n, keys):
    """Take readings out of a mention."""
    mention = dialogue.mentions[n]
    left = {key: rule for key, rule in mention.keys.items() if key not in keys}
    value = mention.value if mention.value not in keys else next(iter(left))
    dialogue.mentions[n] = mention._replace(keys=left, value=value)


def day_parts(dialogue):
    """The parts of the day said for themselves, as (word, half):
    not in a greeting, not with their own hour."""
    text, found = dialogue.text, []
    for i, word in enumerate(text.words[:text.size]):
        if word in DAY_PARTS and len(word) > 3 and word not in ("night", "nights") \
                and (not i or text.words[i - 1] != "good"):
            n = bisect_right(dialogue.firsts, i)
            if not any(mention.last >= i and ":" in mention.value
                       for mention in dialogue.mentions[max(n - 2, 0):n]):
                found.append((i, DAY_PARTS[word]))
    return found


def half_around(dialogue, mention, parts):
    """The half of the day that the talk around a bare hour gives it:
    its sentence's, else of the utterances before."""
    first, last = dialogue.text.sentence(mention.first)
    asked = half_asked(dialogue, mention, parts)
    if asked:
        return asked
    own = [half for _, half in parts[bisect_left(parts, (first,)):bisect_left(parts, (last,))]]
    # "between four and eight" goes by its own sentence
    if own or mention.first in dialogue.range_firsts:
        early = own and own[-1] == "am" and int(next(key for key in mention.keys if ":" in key)[:2]) % 12 < 5
        return own[-1] if own and not early else None       # "mornings are dead after one it gets busy"
    before = [half for i, half in parts[bisect_right(parts, (mention.first - 119,)):bisect_left(
        parts, (mention.first,))]]
    if "to" in (dialogue.text.words[mention.first - 1], dialogue.text.words[mention.last]):
        return None                                         # opening hours go by themselves: "eight to six"
    if before and mention.value != "12:00":
        hour = to_hour(int(next(key for key in mention.keys if ":" in key)[:2]) % 12 or 12, before[-1])
        return before[-1] if 6 <= hour < 23 else None
    return None


def half_asked(dialogue, mention, parts):
    """The half of the day that was settled just behind an hour:
    "six thirty to eight." - "In the evening?" - "Yes."."""
    text, n = dialogue.text, bisect_left(parts, (mention.last,))
    if n == len(parts) or parts[n][0] > mention.last + 30:
        return None
    word, half = parts[n]
    first, last = text.sentence(word)
    if "?" not in text.gaps[last] or last - first > 4 or SPEAKER_CHANGE not in text.gaps[first] \
            or any(SPEAKER_CHANGE in gap for gap in text.gaps[mention.last:first]):
        return None
    answer = [part for i, part in parts[n + 1:n + 2] if i < last + 12]
    return answer[0] if answer else half if text.words[last] in ("yes", "yeah", "yep", "right", "correct") \
        else None


COUNTS = frozenset([None, "person", THING, "room", "option", CODE])


def same_slot(one, other):
    """Could one value stand in the place of the other?"""
    if (len(one.value) == 4 and one.value[:2] in ("19", "20")) != (len(other.value) == 4
                                                                   and other.value[:2] in ("19", "20")):
        return False                                        # a year is no count
    shared = one.slots & other.slots
    if shared != {"number"}:
        return bool(shared)
    return one.unit == other.unit or None in (one.unit, other.unit) and (
        {one.unit, other.unit} <= COUNTS or "percent" in (one.unit, other.unit) or one.unit in CURRENCY_CODES
        or other.unit in CURRENCY_CODES)


def superseded_of(dialogue):
    """The mentions that no longer stand, as {number of the mention: word where it fell}.

    A value falls where a speaker corrects it, where either side says that it is gone, full or too early,
    where the answer to a question brings another in its place, and where of several offered one is taken.
    Said again later it is a mention of its own, and stands.
    """
    wanted = dialogue.index.keys() if dialogue.wanted is None else dialogue.wanted & dialogue.index.keys()
    asked_for = sorted({n for key in wanted for n in dialogue.index[key]})
    is_asked = set(asked_for)
    fallen, choices, spoken = {}, [], range(0)  # choices: [numbers on one side of an "or", on the other side]
    chosen = "or" in dialogue.text.words
    for number, utterance in enumerate(dialogue.utterances if asked_for else ()):
        before, spoken = spoken, range(spoken.stop, bisect_left(dialogue.firsts, utterance.last, spoken.stop))
        refuses, corrects = unsettles(dialogue.text, utterance) if spoken else (False, False)
        for n in spoken:
            if n in is_asked or choices:
                if refuses:
                    refuse_value(dialogue, n, fallen)
                if corrects:
                    correct_value(dialogue, n, spoken, fallen)
            choose_value(dialogue, n, asked_for, fallen)
        if not is_asked.isdisjoint(range(max(spoken.start - 6, 0), spoken.start)):
            drop_offered(dialogue, utterance, spoken, fallen)
        if spoken.start and spoken:
            take_back(dialogue, utterance, spoken, fallen)
        if before:
            correct_half(dialogue, before[-1], utterance, fallen)
            if len(before) > 1:
                pick_described(dialogue, before, utterance, fallen)
            if spoken:
                left_only(dialogue, utterance, spoken, before[-20:], fallen)
        if number > 1 and spoken:
            countered(dialogue, number, utterance, spoken, fallen)
        if not is_asked.isdisjoint(before):
            answer_values(dialogue, dialogue.utterances[number - 1], utterance, spoken, fallen)
        if chosen and spoken:
            choices = take_choice(dialogue, choices, spoken, fallen) + choices_in(dialogue, utterance)
    return fallen


REFUSERS = NEGATIONS \
    | frozenset("working travelling traveling instead rather nope full closed solid out".split())
CORRECTERS = NEGATIONS | {"d", "had", "was", "were", "said"}


def unsettles(text, utterance):
    """Can an utterance refuse a value, can it correct one? Most hold no word that does: they need no closer
    look."""
    first, last = utterance.first, min(utterance.last + 20, text.size)
    said = text.words[first:last]
    return (not REFUSERS.isdisjoint(said) or bool(find_marks(text, "refused", first, last)
                                                  or find_marks(text, "another", first, last)),
            not CORRECTERS.isdisjoint(said) or bool(find_marks(text, "fix", first, last)))


def drop_offered(dialogue, utterance, spoken, fallen):
    """Let the day and time fall that were spoken of last, where "that slot's just gone" names none itself."""
    text = dialogue.text
    for mark in find_marks(text, "refused", utterance.first, utterance.last):
        first, last = text.sentence(mark.first)
        before = text.words[max(first, mark.first - 5):mark.first]
        then = text.words[mark.last] == "then" and text.words[mark.first] == "closed"
        if (then or not GONE.isdisjoint(text.words[mark.first:mark.last])) \
                and text.words[mark.first - 1] not in ("back", "tank") \
                and text.words[mark.last] not in ("care", "through", "up", "out", "clean", "over", "back") \
                and (then or not POINTERS.isdisjoint(before)) and NEGATIONS.isdisjoint(before) \
                and "?" not in text.gaps[last] and not dialogue.mentions_in(first, last):
            spoken_of = dialogue.mentions[spoken.start - 1]
            for mention in dialogue.mentions_in(*text.sentence(spoken_of.first)) \
                    if mark.first - spoken_of.last < 25 else ():
                if mention.kind == DATE_TIME:
                    fell(dialogue, mention, mark.first, fallen)


TAKES_BACK = frozenset("hang hold wait correction mistake scratch apologies meant".split())


def take_back(dialogue, utterance, spoken, fallen):
    """Let a value fall that its own speaker takes back with another ("Oh, hang on, that's last year's. This
    year
    it's forty-seven"), or that a "no thanks" with another value turns down later than at once."""
    text, mentions = dialogue.text, dialogue.mentions
    turned = [mark.last for mark in find_marks(text, "cues", utterance.first,
                                               min(utterance.first + 30, utterance.last))
              if mark.tag == "no" and "thank" in text.words[mark.last - 1]][:1]
    spoken = range(bisect_left(dialogue.firsts, turned[0]), spoken.stop) if turned else spoken
    new = mentions[spoken.start] if spoken else None
    if not new or new.first - utterance.first > 30:
        return
    wrong = any(text.words[mark.first] in TAKES_BACK and text.words[mark.first - 1] not in DETERMINERS
                for mark in find_marks(
        text, "fix", utterance.first, min(utterance.first + 6, new.first)))
    refuses = bool(turned) and new.first - turned[0] < 4
    if not (wrong or refuses) or not {"also", "or", "another", "too"}.isdisjoint(
            text.words[utterance.first:new.first]):
        return
    own = {key for n in spoken[:20] for key in mentions[n].keys}
    since = bisect_left(dialogue.firsts, utterance.first)
    for n in range(since - 1, max(since - 9, -1), -1):
        old = mentions[n]
        if utterance.first - old.last > 60:
            break
        if (same_slot(old, new) or refuses and any(same_slot(old, mentions[m]) for m in spoken[:4])) \
                and own.isdisjoint(old.keys) and (
                old.kind == DATE_TIME or old.unit == new.unit or old.unit in CURRENCY_CODES
                    and not new.unit) \
                and (refuses or any(
                    dialogue.speaker_at(mentions[m].first) == utterance.speaker
                    for key in old.keys for m in dialogue.index.get(key, ())[-12:] if m < spoken.start)):
            fell(dialogue, old, new.first, fallen)
            if wrong:
                dialogue.corrected.update(m for key in old.keys for m in dialogue.index[key][-12:]
                                          if fallen.get(m) == new.first)


DESCRIBED = by_surface("""
am: morning; pm: afternoon, evening; first: first, former, earlier, earliest; last: second, later, latter, latest""")


def likely_hour(mention):
    """The reading of a mention as a time of a working day, "HH:MM", or None."""
    return next((key for key in sorted(mention.keys) if "07:00" <= key < "21:00" and key[2:3] == ":"), None)


SLOT_NAMES = frozenset("one please slot session sailing train show appointment time flight class tour "
                       "option".split())


def pick_described(dialogue, before, utterance, fallen):
    """Of values that were offered let those fall that were not picked: "the evening one", "the later"."""
    text, mentions = dialogue.text, dialogue.mentions
    pick = next((DESCRIBED[text.words[i + 1]]
                 for i in range(utterance.first, min(utterance.first + 8, utterance.last))
                 if text.words[i] == "the" and text.words[i + 1] in DESCRIBED
                 and (text.words[i + 2] in SLOT_NAMES or i + 2 == utterance.last)), None)
    if not pick or "?" in text.gaps[utterance.last]:
        return
    # number of an offered time: of the one its span begins with
    begins = {}
    for n in before[-8:]:
        if likely_hour(mentions[n]):
            spans = n - 1 in begins and text.words[mentions[n - 1].last:mentions[n].first] in (["to"],
                                                                                               ["until"],
                                                                                               ["and"]) \
                and (text.words[mentions[n].first - 1] != "and"
                     or text.words[mentions[n - 1].first - 1] == "between")
            begins[n] = begins[n - 1] if spans else n
    starts = sorted(set(begins.values()))
    if len(starts) < 2 or pick in ("first", "last") and len(starts) > 2:
        return
    times = {n: likely_hour(mentions[n]) for n in starts}
    kept = min(starts, key=times.get) if pick == "first" else max(starts, key=times.get) if pick == "last" \
        else None
    for n, start in begins.items():
        if start != kept if kept is not None else (times[start] < "12:00") != (pick == "am"):
            fell(dialogue, mentions[n], utterance.first, fallen)


def correct_half(dialogue, n, utterance, fallen):
    """Let a time fall that was asked about with the wrong half of the day:
    "Seven in the evening?" - "No, in the morning."."""
    text, mention = dialogue.text, dialogue.mentions[n]
    first, end = utterance.first, min(utterance.first + 9, utterance.last)
    end = next((i + 1 for i in range(first, end) if text.words[i] in DAY_PARTS), first)
    half = DAY_PARTS.get(text.words[end - 1])
    if half in ("am", "pm") and not {"no", "nope", "not"}.isdisjoint(text.words[first:first + 3]) \
            and mention.value[2:3] == ":" and mention.first > first - 30 and "?" in text.gaps[first] \
            and (mention.value < "12:00") != (half == "am") and not dialogue.mentions_in(first, end):
        fell(dialogue, mention, first, fallen)


GONE = frozenset("gone full taken unavailable available".split())
POINTERS = frozenset("that it slot one this".split())


def choices_in(dialogue, utterance):
    """The choices that an utterance offers, as the numbers of the mentions before its "or" and behind it,
    each with one slot."""
    found, text = [], dialogue.text
    for sentence in utterance.sentences:
        inside = range(bisect_left(dialogue.firsts, sentence.first),
                       bisect_left(dialogue.firsts, sentence.last))
        at = [i for i in range(sentence.first, sentence.last) if text.words[i] == "or"] \
            if len(inside) > 1 else ()
        if len(at) == 1:
            sides = [[n for n in inside if (dialogue.mentions[n].first > at[0]) == behind
                      and dialogue.mentions[n].kind == DATE_TIME]
                     for behind in (False, True)]
            if all(sides) and any(same_slot(dialogue.mentions[a], dialogue.mentions[b])
                                  for a in sides[0] for b in sides[1]):
                found.append(sides)
    return found


def take_choice(dialogue, choices, spoken, fallen):
    """Let the side of a choice fall that was not taken: the next to be said again is taken.
    Returns the choices still open."""
    mentions, left = dialogue.mentions, []
    for sides in choices:
        keys = [{key for n in side for key in mentions[n].keys} for side in sides]
        keys = [keys[0] - keys[1], keys[1] - keys[0]]
        again = {side for n in spoken[:60] for side in (0, 1)
                 if n not in fallen and not keys[side].isdisjoint(mentions[n].keys)}
        if len(again) == 2:                             # "Thursday I'm at work. The Friday, then."
            left.append(sides)
        elif len(again) == 1 and not any(asks_only(dialogue.text, mentions[n].first) for n in spoken[:60]):
            lost, rivalled = 1 - again.pop(), False
            for n in sides[lost]:                       # "on Friday: nine or two?" - "Two." leaves the Friday
                rivalled = rivalled or any(same_slot(mentions[n], mentions[m]) for m in sides[1 - lost])
                if rivalled and keys[lost].issuperset(mentions[n].keys):
                    fallen[n] = mentions[spoken.start].first
        elif not again:
            left.append(sides)
    return left[-8:]


def asks_only(text, i):
    """Does the sentence of word i ask, and for no deed ("Could I take the one o'clock?" takes it)?"""
    first, last = text.sentence(i)
    words = text.words[first:last]
    takes = {"could", "can", "may"}.intersection(words) and {"take", "have", "do"}.intersection(words)
    return "?" in text.gaps[last] and not takes


def ends_span(text, mention):
    """Does a value only end a span that is told ("I'm on antibiotics until Sunday")? "Till Sunday."
    answers."""
    return text.words[mention.first - 1] in ("until", "till") \
        and mention.first - 1 > text.sentence(mention.first)[0]


def fell(dialogue, mention, word, fallen, since=0):
    """Note that a value fell at a word: this mention and the earlier ones of the same value.
    What only ends a span ("I'm on antibiotics until Sunday") is offered to nobody."""
    if ends_span(dialogue.text, mention):
        return
    end = bisect_right(dialogue.firsts, word)
    for key in mention.keys:
        same = dialogue.index[key]
        last = bisect_left(same, end)
        for n in reversed(same[max(0, last - 12):last]):
            if dialogue.mentions[n].first < since:
                break
            if same_slot(mention, dialogue.mentions[n]):
                fallen[n] = word


def refuse_value(dialogue, n, fallen):
    """"Seven's gone", "not at two forty", "instead of Thursday", "he can't make Thursday"."""
    text, mention = dialogue.text, dialogue.mentions[n]
    first, last = text.sentence(mention.first)
    words, i = text.words, mention.last
    before = words[max(first, mention.first - 3):mention.first]
    if before[-2:] in (["instead", "of"], ["rather", "than"]) or before[-1:] == ["not"] \
            or before[-2:-1] == ["not"] and before[-1] in ("at", "on", "for", "in", "the") \
            or set(before[-3:-1]) & {"can't", "cannot", "won't", "couldn't"} \
            and before[-1] in ("make", "do", "on", "match", "accept", "take", "offer") \
            or before[-2:] in (["don't", "want"], ["n't", "do"]):
        fell(dialogue, mention, mention.first, fallen)
        return
    if words[i:i + 2] in (["i", "can't"], ["i", "cannot"], ["i", "won't"], ["we", "can't"],
                          ["we", "cannot"]) and words[i + 2] not in ("say", "wait", "promise") and i < last \
            or words[i] == "no" and i < last and i + 1 == last:
        fell(dialogue, mention, mention.first, fallen)      # "Sunday I can't", "Sunday no"
        return
    asked_back = "?" in text.gaps[i] and words[i] in ("no", "nope") and SPEAKER_CHANGE not in text.gaps[i]
    if asked_back or full_before(text, mention, first) \
            and {"can't", "cannot", "cant"}.isdisjoint(words[first:mention.first]):
        fell(dialogue, mention, mention.first, fallen)      # "Wednesday? No.", "we're full from the 22nd"
        return
    utterance_end = min(i + 14, dialogue.utterance_end(mention.first))
    another = [mark for mark in find_marks(text, "another", i, utterance_end)
               if text.words[mark.first - 1] not in ("like", "as", "than")]         # "like any other day"
    if another and any(dialogue.index[key][0] < n for key in mention.keys) \
            and not dialogue.mentions_in(i, another[0].first):
        fell(dialogue, mention, mention.first, fallen)      # "half eight... could it be any later that day?"
        return
    if before[-2:] in (["so", "is"], ["so", "are"], ["neither", "is"], ["nor", "is"]) \
            and find_marks(text, "refused", first, mention.first):
        fell(dialogue, mention, mention.first, fallen)      # "two's taken and so is two thirty"
        return
    if words[i:i + 2] in (["i", "m"], ["we", "re"]) \
            and words[i + 2] in ("working", "travelling", "traveling"):
        fell(dialogue, mention, mention.first, fallen)      # "Wednesday I'm working."
        return
    if words[i:i + 2] in (["we", "re"], ["we", "are"], ["they", "re"], ["i", "m"], ["i", "am"]) and any(
            CLAUSE_STOPS.difference(["so"]).isdisjoint(words[i:mark.first]) for mark in find_marks(
                text, "refused", i, min(i + 13, last))) and not dialogue.mentions_in(i, min(i + 13, last)):
        fell(dialogue, mention, mention.first, fallen)      # "Saturday at seven we're fully booked"
        return
    if words[i] in ("s", "is", "are", "was", "would", "wo", "won't", "doesn't", "isn't", "at", "on", "will",
                    "fully", "clashes"):
        stop = min(i + 5, last)
        marks = [mark for mark in find_marks(text, "refused", i, stop)
                 if not any(text.gaps[j].strip(" '")
                            for j in range(i + (text.words[i - 1][-2:] == ".m"), mark.first + 1))
                 and CLAUSE_STOPS.isdisjoint(words[i:mark.first])]
        if marks and words[marks[0].first] in ("booked", "taken") \
                and ({"on", "at", "for"}.intersection(before[-2:])
                     or words[marks[0].first] == "booked" and just_agreed(dialogue, mention)):
            return                                          # "your place on the ninth is booked"
        if marks and any(words[j] == "but"
                         and words[j + 2:j + 4] in (["have", "it"], ["have", "them"], ["ve", "got"])
                         for j in range(marks[0].last, last)):
            # "the nine is out of stock in brown, but we have it in grey"
            return
        if marks and mention.unit in CURRENCY_CODES and words[marks[0].first] != "too":
            return                                          # "a deposit of $300 is taken"
        if marks and not dialogue.mentions_in(i, marks[0].first) \
                and {"you", "the"}.isdisjoint(words[i:marks[0].first]):
            fell(dialogue, mention, mention.first, fallen)


def just_agreed(dialogue, mention):
    """Did the other side say this value just before ("We can be there at five thirty." - "5:30 is booked.")?"""
    text, number = dialogue.text, bisect_right(dialogue.utterance_firsts, mention.first) - 2
    before = dialogue.utterances[number] if number >= 0 else None
    return bool(before) and not before.sentences[-1].asks and any(
        not mention.keys.keys().isdisjoint(other.keys) and "?" not in text.gaps[text.sentence(other.first)[1]]
        for other in dialogue.mentions_in(before.first, before.last, 20))


def full_before(text, mention, first):
    """Does "full", "closed" or the like stand before a value, with nothing but "on the" between?"""
    i = mention.first - 1
    while i > first and text.words[i] in ("on", "at", "from", "the", "that", "this"):
        i -= 1
    if text.words[i] == "closed" and text.words[mention.first][-4:] == "days":
        return False                                        # opening hours: "the office is closed on Sundays"
    return i < mention.first - 1 and text.words[i] in ("full", "closed", "solid", "unavailable", "out") \
        and text.words[i - 1] != "in" and (text.words[i] != "out" or text.words[i - 1] == "sold") \
        and NEGATIONS.isdisjoint(text.words[max(first, i - 3):i])


def correct_value(dialogue, n, spoken, fallen):
    """"Four… sorry, five", "the third. No, hold on, the fourth";
    "we'd booked five but my mother fell ill"."""
    text, mention = dialogue.text, dialogue.mentions[n]
    following = next((m for m in dialogue.mentions[n + 1:min(spoken.stop, n + 30)] if m.first > mention.last
                      and m.first - mention.last < 14 and same_slot(mention, m)), None) \
        if find_marks(text, "fix", mention.last, mention.last + 20) else None
    if following and mention.keys.keys().isdisjoint(following.keys):
        marks = find_marks(text, "fix", mention.last, following.first)
        if marks and marks[0].first - mention.last < 5 and CLAUSE_STOPS.isdisjoint(
                text.words[mention.last:marks[0].first]):
            fallen[n] = following.first
            dialogue.corrected.add(n)
    end = dialogue.utterance_end(mention.first)
    if text.words[mention.last:mention.last + 1] == ["no"] and text.gaps[mention.last][:1] in ",." \
            and text.gaps[mention.last + 1][:1] == "," and mention.last < end:
        instead = next((m for m in dialogue.mentions[n + 1:n + 6] if m.first < end and same_slot(mention, m)
                        and mention.keys.keys().isdisjoint(m.keys)), None)
        # "nine, no, nine's taken by a spaniel. Ten fifteen?"
        if instead:
            fell(dialogue, mention, instead.first, fallen)
    rival = next((m for m in dialogue.mentions[n + 1:n + 3]
                  if m.first < dialogue.utterance_end(mention.first) and same_slot(mention, m)), None)
    if rival and mention.keys.keys().isdisjoint(rival.keys) \
            and NEGATIONS.intersection(text.words[text.sentence(mention.first)[0]:mention.first]) \
            and {"can", "could", "about"}.intersection(text.words[text.sentence(rival.first)[0]:rival.first]):
        # "no, I've got my grandson on Wednesday. Can we do Friday?"
        fell(dialogue, mention, rival.first, fallen)
    first, last = text.sentence(mention.first)
    before = text.words[max(first, mention.first - 4):mention.first]
    if before[-1:] == ["said"] and rival \
            and not {"rather", "instead"}.isdisjoint(text.words[mention.last:rival.first]):
        fallen[n] = rival.first                             # "I said twenty, but I'd rather do ten"
    if {"was", "were"} & set(before[-2:]) and "but" in text.words[mention.last:min(mention.last + 3, last)] \
            and any(
            same_slot(mention, new) and mention.keys.keys().isdisjoint(new.keys)
            for new in dialogue.mentions_in(mention.last, last, 3)):
        fallen[n] = mention.last                            # "it was forty but it's thirty-four now"
    if {"d", "had"} & set(before) and {"booked", "planned", "meant", "wanted", "reserved", "ordered",
                                       "hoped", "said"} & set(before) \
            and "but" in text.words[mention.last:min(mention.last + 3, last)]:
        fallen[n] = mention.last


def answer_values(dialogue, before, utterance, spoken, fallen):
    """What an utterance leaves of the values that the other side's utterance before it
    asked about or offered."""
    if before.speaker == utterance.speaker or utterance.recorded or before.recorded:
        return
    text, offered = dialogue.text, dialogue.mentions_in(before.first, before.last)[-40:]
    if not offered:
        return
    own = dialogue.mentions[spoken.start:min(spoken.stop, spoken.start + 40)]
    if find_marks(text, "another", utterance.first, utterance.last):
        for old in offered:                         # "can you be here at nine?" - "have you anything later?"
            if old.slots != {"number"} and any(s.first <= old.first < s.last
                                               and (s.asks not in (None, "else", "open")
                                                    or next_asks(before, s))
                                                   for s in before.sentences) and not any(
                    not old.keys.keys().isdisjoint(new.keys) for new in own):
                fell(dialogue, old, utterance.first, fallen, before.first)
    if not own or "if" in text.words[utterance.first:own[0].first]:
        return
    head = find_marks(text, "cues", utterance.first, min(utterance.first + 4, utterance.last))
    yes = any(mark.tag in ("yes", "ok", "assent") for mark in head[:1])
    # "Please confirm: …" asks all of it
    confirms = not REQUESTS.isdisjoint(text.words[before.first:before.last])
    asked = [s for s in before.sentences if confirms or s.asks and s.asks != "open"]
    for old in offered:
        direct = same_slot(old, own[0])
        rivals = [new for new in own if same_slot(old, new) and not (new.unit and new.unit != old.unit)
                  and not (
            old.unit in CURRENCY_CODES and not new.unit and "?" not in text.gaps[utterance.first]
            and before.last - old.last > 8)]
        if not rivals or any(not old.keys.keys().isdisjoint(new.keys) for new in rivals):
            for other in offered if len(rivals) == 1 else ():       # "at nine or at two?" - "Two, please."
                if other is not old and same_slot(old, other) \
                        and other.keys.keys().isdisjoint(rivals[0].keys) \
                        and offered_as_choice(text, old, other, rivals[0]) \
                        and "?" not in text.gaps[text.sentence(rivals[0].first)[1]]:
                    fell(dialogue, other, rivals[0].first, fallen, before.first)
            continue
        if old.value[:3] in MONTH_NAMES and rivals[0].value in WEEKDAY_NAMES \
                and not (head and head[0].tag == "no"):
            continue                                        # "the fourteenth?" - "Friday, I've got one left."
        near = rivals[0].first - utterance.first < 4 or rivals[0].first - utterance.first < 25 and not {
            "now", "nowadays", "currently"}.isdisjoint(text.words[rivals[0].first - 3:rivals[0].last + 2])
        if head and head[0].tag == "no" and direct and near and rivals[0].first >= head[0].last and not any(
                # "Fifty chairs." - "No, fifteen."
                not other.keys.keys().isdisjoint(rivals[0].keys) for other in offered):
            fell(dialogue, old, rivals[0].first, fallen, before.first)
        in_question = any(s.first <= old.first < s.last for s in asked) \
            and (direct or "number" not in old.slots or rivals[0].unit in COUNTS and old.unit in COUNTS
                 and not {"only", "actually", "change", "instead"}.isdisjoint(
                     text.words[utterance.first:rivals[0].first]))
        if in_question and (not yes or near) and rivals[0].first - utterance.first < 12:
            if not yes or text.words[rivals[0].first - 1] in ("well", "actually", "no", "but") \
                    or "?" not in text.gaps[text.sentence(rivals[0].first)[1]] \
                    and old.slots & rivals[0].slots != {"number"}:
                fell(dialogue, old, rivals[0].first, fallen, before.first)


def next_asks(utterance, sentence):
    """Does the last sentence of an utterance ask about what the one before it offered:
    "Dr. Novak can see her at 3:45. Would that work?"?"""
    return utterance.sentences[-2:-1] == [sentence] and utterance.sentences[-1].asks == "commit"


def countered(dialogue, number, utterance, spoken, fallen):
    """Let an offered day or time fall where the other side asked for another and got it:
    "Monday the fourteenth." - "Can we say the twenty-first?" - "The twenty-first is fine."."""
    offer, ask = dialogue.utterances[number - 2:number]
    text = dialogue.text
    asks, refuses = ask.sentences[-1].asks, find_marks(text, "refused", ask.first,
                                                       min(ask.last, ask.first + 60))
    if offer.speaker != utterance.speaker or ask.recorded \
            or not (asks or refuses and offer.sentences[-1].asks):
        return
    said = text.words[ask.sentences[-1].first:ask.sentences[-1].last]
    if asks and (COUNTERS.isdisjoint(said)
                 or NEGATIONS.isdisjoint(text.words[ask.first:ask.last]) and ASKS_BACK.isdisjoint(said)):
        return
    own = dialogue.mentions[spoken.start:min(spoken.stop, spoken.start + 9)]
    for wish in dialogue.mentions_in(ask.sentences[-1].first, ask.sentences[-1].last, 9):
        if wish.kind == DATE_TIME and text.words[wish.first - 1] not in ("till", "until") \
                and any(not wish.keys.keys().isdisjoint(new.keys) for new in own) \
                and not find_marks(text, "refused", utterance.first, utterance.last):
            for old in dialogue.mentions_in(offer.first, offer.last)[-20:]:
                if same_slot(old, wish) and old.keys.keys().isdisjoint(wish.keys) and old.kind == DATE_TIME \
                        and old.first not in dialogue.range_firsts \
                        and not any(not old.keys.keys().isdisjoint(new.keys) for new in own):
                    for n in {n for key in old.keys for n in before_it(dialogue.index[key], spoken.start)}:
                        mention = dialogue.mentions[n]
                        if mention.value not in WEEKDAY_NAMES or wish.value in WEEKDAY_NAMES:
                            fallen[n] = utterance.first
                        else:                           # "on Mondays" stands, but as no such date
                            for key in mention.keys.keys() & old.keys.keys() - {mention.value}:
                                del mention.keys[key]
                                del dialogue.index[key][bisect_left(dialogue.index[key], n)]


def before_it(numbers, n):
    """The last of ascending numbers below n: as many as a value is looked up for."""
    last = bisect_left(numbers, n)
    return numbers[max(0, last - 12):last]


COUNTERS = frozenset("can could say about instead possible rather".split())
ASKS_BACK = frozenset("say instead rather".split())


def changed_count(dialogue, n):
    """"Make that three", "drop it to three": the number of the last other count before it, or None."""
    chosen = dialogue.mentions[n]
    for m in range(n - 1, max(n - 8, -1), -1):
        old = dialogue.mentions[m]
        if old.kind == NUMERIC and old.unit in COUNTS and old.keys.keys().isdisjoint(chosen.keys) \
                and chosen.first - old.first < 60:
            return m
    return None


def replaced_by(dialogue, n):
    """"By five." - "We open at six." - "Six, then.":
    the number of the value that the chosen one took the place of, or None."""
    chosen = dialogue.mentions[n]
    since = min(dialogue.index[key][0] for key in chosen.keys if key in dialogue.index)
    brought = dialogue.mentions[since].first
    for m in range(since - 1, max(since - 4, -1), -1):
        old = dialogue.mentions[m]
        if old.slots & chosen.slots - {"number"} and old.keys.keys().isdisjoint(chosen.keys) \
                and brought - old.first < 60:
            return m if dialogue.utterance_end(old.first) <= brought else None
    return None


def left_only(dialogue, utterance, spoken, before, fallen):
    """Let a count that was asked for fall where there are fewer: "Twelve bags?" - "I've only five left."."""
    text = dialogue.text
    for n in spoken[:20]:
        new = dialogue.mentions[n]
        said = text.words[max(new.first - 6, utterance.first):new.first]
        few = "only" in said[-2:] or text.words[new.last] == "left" \
            or "rest" in text.words[new.last:new.last + 4] \
            or "all" in said and "is" in said[-2:]              # "All I've got is the twenty-nine."
        for m in before if few and new.kind == NUMERIC and new.unit in COUNTS else ():
            old = dialogue.mentions[m]
            if old.kind == NUMERIC and old.unit in COUNTS and old.value.isdecimal() \
                    and new.value.isdecimal() \
                    and int(new.value) < int(old.value) and same_thing(dialogue, old, new):
                fell(dialogue, old, new.first, fallen)


def same_thing(dialogue, old, new):
    """Do two counts name the same thing, or do both name none?"""
    said = [labels_of(dialogue.text, one, *dialogue.text.sentence(one.first), one is new)
            for one in (old, new)]
    return bool(said[0] & said[1]) or not said[1]


CHANGES = frozenset("drop change reduce bring".split())


def choose_value(dialogue, n, asked_for, fallen):
    """"Then it's Wednesday", "twelve twenty then", "make it eight":
    what was offered before in its place falls."""
    text, chosen = dialogue.text, dialogue.mentions[n]
    first, last = text.sentence(chosen.first)
    before = text.words[max(first, chosen.first - 4):chosen.first]
    before = before[:-1] if before[-1:] == ["the"] else before
    behind = text.words[chosen.last] if text.gaps[chosen.last] in (" ", ", ") else ""
    moved = "to" in before[-2:] and not MOVED.isdisjoint(before)
    changed = before[-2:] in (["make", "it"], ["make", "that"]) \
        or before[-1:] == ["to"] and not CHANGES.isdisjoint(before)
    now = behind == "now" and before[-1:] in (["be"], ["s"], ["is"])        # "it'll be Saturday now"
    if not (moved or changed or now or behind == "then" or "then" in before[:2] or before[-1:] == ["take"]
            or before[-2:] in (["s", "do"], ["go", "with"])):
        return
    if changed and "number" in chosen.slots and chosen.unit in COUNTS:
        old = changed_count(dialogue, n)
        if old is not None:
            fell(dialogue, dialogue.mentions[old], chosen.first, fallen)
    if now or behind == "then" and chosen.first == first:
        replaced = replaced_by(dialogue, n)
        if replaced is not None:
            fallen[replaced] = chosen.first
    for m in asked_for[bisect_left(asked_for, bisect_right(dialogue.firsts, chosen.first - 150)):bisect_left(
            asked_for, n)]:
        old = dialogue.mentions[m]
        span = text.sentence(old.first)
        if chosen.first - old.first < 150 and span != (first, last) and same_slot(old, chosen) \
                and all(old.keys.keys().isdisjoint(said.keys)
                        for said in dialogue.mentions_in(first, last, 9)) \
                and (old.kind == chosen.kind or "clock" in old.slots) \
                    and text.words[old.first][-4:] != "days" \
                and (not changed or chosen.unit in CURRENCY_CODES or old.unit not in CURRENCY_CODES) \
                and old.keys.keys().isdisjoint(chosen.keys) \
                and (moved or changed and chosen.first - old.first < 30
                     or OFFERS.intersection(text.words[span[0]:span[1]])
                     or (old.unit in CURRENCY_CODES or old.unit and old.unit == chosen.unit
                         or "one" in before)
                     and any(
                         not chosen.keys.keys().isdisjoint(other.keys) for other in dialogue.mentions_in(
                             max(span[0] - 30, 0), span[1], 9))):
            fallen[m] = chosen.first
            clocks = {key: rule for key, rule in old.keys.items() if ":" in key}
            # and where it was asked for before: "Two, if possible."
            if clocks:
                fell(dialogue, old._replace(kind=DATE_TIME, keys=clocks), chosen.first, fallen)


def range_ends(dialogue):
    """The numbers of mentions that are ends of a range of amounts:
    "between thirty and forty dollars", "30-40"."""
    ends, text = set(), dialogue.text
    for n, (one, other) in enumerate(zip(dialogue.mentions, dialogue.mentions[1:])):
        if one.unit in (None, other.unit) and "number" in one.slots and "number" in other.slots:
            between = text.words[one.last:other.first]
            if one.first == other.first \
                    or between in (["to"], ["or"]) and text.gaps[other.first] in (" ", "-", " - ") \
                    or between == ["and"] and text.words[one.first - 1] == "between" and one.first:
                ends |= {n, n + 1}
    return ends


LISTING = frozenset("and or the a at on then also in past half quarter o'clock oclock p.m a.m pm am another".split())


def offered_as_choice(text, one, other, taken):
    """Do two values stand side by side as a choice,
    and is one of them taken ("the Wednesday one, please")?"""
    first, last = sorted((one.first, other.first))
    said = text.words[max(0, taken.first - 3):taken.last + 3]
    if one.kind != other.kind or "number" in one.slots and one.kind == NUMERIC and "clock" not in one.slots:
        listed = False
    else:                                                   # "nine ten, ten forty, and twelve twenty"
        listed = all(word in LISTING or word in NUMBER_WORDS or word < ":" or word in WEEKDAYS
                     or word in DAY_PARTS
                     for word in text.words[first:last])
    return listed or "or" in text.words[first:last] \
        or "and" in text.words[first:last] and "number" not in taken.slots \
        and bool(OFFERS.intersection(text.words[slice(*text.sentence(first))])) \
        and bool({"please", "take", "one", "then", "prefer"}.intersection(said))


# --------------------------------------------------------------------------------------------- claims


def pair_weekdays(text, mentions):
    """Give a weekday that stands beside a date the date as a reading, where the calendar bears it out:
    Monday, March 4."""
    for one, other in zip(mentions, mentions[1:]):
        day, date = (one, other) if one.value in WEEKDAY_NAMES else (other, one)
        if day.value in WEEKDAY_NAMES and date.kind == DATE_TIME and date.value[:3] in MONTH_NAMES \
                and other.first - one.last < 3 \
                and not {"to", "until", "till", "and", "or"}.intersection(text.words[one.last:other.first]):
            import datetime
            month, number = MONTH_NAMES.index(date.value[:3]) + 1, int(date.value[4:])
            today = text.dates[0] if text.dates else None
            passed = today and (month, number) < (today.month, today.day) and (today.month - month) % 12 > 1
            for year in [int(date.unit)] if date.unit else [today.year + passed] if today else []:
                try:
                    if datetime.date(year, month, number).weekday() == WEEKDAY_NAMES.index(day.value):
                        day.keys.setdefault(date.value, "call_date")
                except ValueError:                          # February 29
                    pass


def dates_of(call_date):
    """A tuple of the dates that a call may have been on, of one date, of such a tuple, or of None."""
    return call_date if isinstance(call_date, tuple) else (call_date,) if call_date else ()


def decompose_claims(masked_summary, call_date=None, day_first=False):
    """Break a masked summary into claims, in order: every value, outcome and promise that it states.

    call_date is a datetime.date or a tuple of the dates it may have been where the call took place. A
    sentence with nothing to check gives one non_checkable_* claim. Raises nothing on any text.
    Source: design sections 5-7.

    >>> [(c.kind, c.value)  # doctest: +NORMALIZE_WHITESPACE
    ...  for c in decompose_claims("Confirmed for 4 at 2 p.m. An email will be sent. Nice chat!")]
    [('outcome', 'confirm'), ('numeric', '4'), ('date_time', '14:00'), ('action', 'email'),
     ('non_checkable_opinion', None)]
    """
    return claims_of(Text(masked_summary, dates_of(call_date), day_first))


def claims_of(text):
    """The claims of a summary's Text, sentence by sentence."""
    mentions, claims = scan(text), []
    pair_weekdays(text, mentions)
    firsts = [mention.first for mention in mentions]
    opens = text.opens + [text.size]
    for first, last in zip(opens, opens[1:]):
        if first >= last or is_list_marker(text, first, last):
            continue
        inside = mentions[bisect_left(firsts, first):bisect_left(firsts, last)]
        first += text.gaps[first + 1][:1] == ")" and text.words[first] < ":" and last - first > 1
        found = [value_claim(text, m, inside) for m in inside if first <= m.first < last and counts(text, m)]
        found += outcome_claims(text, first, last, inside) + action_claims(text, first, last)
        seen = set()
        for claim in sorted(found, key=lambda claim: claim.span[0]):
            same = claim.kind, claim.value, claim.polarity, \
                claim.mention and (claim.mention.unit, claim.mention.per), claim.mention is None \
                and (claim.about, claim.topic), claim.mention is not None and claim.in_range
            if same not in seen:
                seen.add(same)
                claims.append(claim)
        if not found:
            claims.append(unchecked_claim(text, first, last))
    return claims


TOLD_COUNTS = frozenset("bookings attempts things requests matters tries".split())


def counts(text, mention):
    """Does a summary's "first" or "second" count something,
    or does it only tell an order ("first of all")?"""
    if "digits" in (text.words[mention.last - 1], text.words[mention.last]):
        return False                                        # "the last four digits are …"
    if text.words[mention.last - 1] in TOLD_COUNTS:
        return False                                        # "two bookings came out of this call"
    return mention.last - mention.first > 1 or text.words[mention.first] not in ("first", "second") \
        or mention.kind != NUMERIC or text.words[mention.last] in SPELLED_ORDINAL_HEADS


def is_list_marker(text, first, last):
    """Is this sentence only the "1." of a list?"""
    return last - first == 1 and text.words[first].isdecimal() and len(text.words[first]) < 3 \
        and text.gaps[last][:1] == "." \
        and not text.gaps[first].rsplit("\n", 1)[-1].strip(" *-") and (first == 0 or "\n" in text.gaps[first])


def sentence_around(text, i):
    """The sentence of a word as the card shows it, and where it begins:
    from its first word to its full stop."""
    first, last = text.sentence(i)
    start = text.starts[first] - len(text.gaps[first]) \
        + len(text.gaps[first].rstrip("$(\"'\xa3\xa4\xa5\xa6#+-[")) \
        if first else 0
    tail = pattern(r"[.!?)\"']*").match(text.raw, text.ends[last - 1])
    return text.raw[start:tail.end()].strip() or text.raw[start:tail.end()], start


def claim_of(text, kind, value, first, last, mention=None, **more):
    """A Claim with its sentence and span; a currency sign and a percent sign belong to their number."""
    start = text.starts[first]
    if mention and text.gaps[first][-1:] in CURRENCIES:
        start -= 1
    end = text.ends[last - 1] + (mention is not None and text.gaps[last][:1] == "%")
    sentence, begin = sentence_around(text, first)
    return Claim(cut_around(sentence, start - begin, end - begin, 400), kind, value, [start, end],
                 mention, **more)


def value_claim(text, mention, mentions):
    """The claim that a value of the summary makes; in "hold_hours=24" the key is its context."""
    if "=" in text.gaps[mention.first] and mention.kind == NUMERIC and not mention.unit:
        j = mention.first - 1
        while j > 0 and text.gaps[j] in ("_", "-"):
            j -= 1
        named = text.words[j:mention.first]             # "hold_hours=24"; an "adult_price" counts no adults
        unit = next((UNITS[word] for word in reversed(named) if word in UNITS), None) if "per" not in named \
            else None
        mention = mention._replace(unit=None if PRICE_CUES.intersection(named) else unit)
        if mention.unit:
            equal_amounts(mention.keys, float(next(filter(lambda key: key.replace(".", "", 1).isdecimal(),
                                                          mention.keys), 0)), mention.unit)
    beside = frozenset(key for other in mentions if other is not mention for key in other.keys)
    context = value_context(text, mention)
    if "=" in text.gaps[mention.first] and mention.first:
        context["about"] |= set(map(root, text.words[max(mention.first - 2, 0):mention.first]))
    return claim_of(text, mention.kind, mention.value, mention.first, mention.last, mention,
                    beside=beside, **context)


def value_context(text, mention):
    """How the summary tells a value: told_of, in_range, tail and about of its Claim."""
    words, (first, last) = text.words, text.sentence(mention.first)
    before, sentence = words[max(first, mention.first - 3):mention.first], words[first:last]
    return {"told_of": before[-2:] == ["out", "of"] or is_told_of(text, mention),
            "in_range": before[-2:] == ["out", "of"] or not {"-", "/"}.isdisjoint(words[mention.first])
            or bool((RANGE_CUES - NUMBER_LINKS).intersection(sentence))
            or any(words[j] in NUMBER_LINKS and (words[j + 1] < ":" or words[j + 1] in NUMBER_WORDS)
                   for j in range(first, last))
                or any(gap in ("-", " - ") for gap in text.gaps[mention.first:mention.last + 1]),
            "tail": bool({"ending", "ends", "end"}.intersection(before) or "last"
                         in words[max(first, mention.first - 5):mention.first] and before[-1:] != ["last"]),
            "about": labels_of(text, mention, first, last)}


SPANNED = frozenset("booked reserved rented hired runs open opens stay stays staying".split())
# "can be collected from 7 PM" tells what came out, "was moved from 7 PM" what did not
CHANGED_FROM = frozenset(
    "moved changed rescheduled switched pushed postponed shifted rebooked reduced lowered raised increased "
    "dropped cut went down up instead rather move change reschedule switch extended updated corrected "
    "swapped brought than".split())
MOVED = frozenset("moved changed rescheduled switched pushed postponed shifted rebooked".split())


TO_CHANGE = frozenset("move change reschedule cancel shift switch postpone".split())
NO_WORDS = frozenset("no none without nobody nothing never".split())        # "$85 with no fee" denies no $85


SETTLED = frozenset("to now instead will set due".split())


def is_told_of(text, mention):
    """Does the summary tell a value as asked for, offered, refused or replaced (True), or as what came out
    (False)? None where its clause says neither."""
    words, (first, last) = text.words, text.sentence(mention.first)
    before = words[max(first, mention.first - 3):mention.first]
    if {"from", "than", "of"}.intersection(before[-2:]) and {"from", "than", "instead"}.intersection(before) \
            and not ("from" in before
                     and (SPANNED.intersection(words[first:mention.first]) or before[-1] == "from"
                          and CHANGED_FROM.isdisjoint(words[first:last]))):
        return True                     # but "booked from the 22nd to the 29th" tells what came out
    if "over" in before[-2:] and not {"chose", "preferred", "opted"}.isdisjoint(words[first:mention.first]):
        return True                                         # "chose a refund over the Sunday showing"
    start, end = clause_around(text, mention, first, last)
    since = next((j for j in range(mention.first - 1, first, -1) if words[j] in ("from", "to", "until")),
                 first)
    if words[since] == "from" and mention.first - since < 9 \
            and not CHANGED_FROM.isdisjoint(words[first:since]) \
            and "to" in words[mention.last:min(mention.last + 7, last)]:
        return True                                         # "moved from Thursday, February 19 at 10 AM to …"
    if end - start < mention.last - mention.first + 4 and start > first \
            and not find_marks(text, "outcomes", start, end):
        start = clause_start(text, start - 1, first)        # "asked for eight and then for seven"
    if words[mention.last] in ("until", "till") and mention.unit in CURRENCY_CODES:
        return True                                         # "£28 until September"
    clause = {words[j] for j in range(start, end)
              if not (words[j] in ("first", "late", "early") and words[j - 1] in
                      DETERMINERS and text.linked(j + 1)
                      and thing_of(words[j + 1]))}
    if before[-2:] in (["down", "from"], ["up", "from"]):
        return True
    if before[-1:] != ["to"] and not TO_CHANGE.isdisjoint(words[first:mention.first]) \
            and any(words[j] == "to" and words[j + 1] in TO_CHANGE
                    for j in range(first, mention.first)):
        return True                                         # "called to move his Friday filling"
    if clause & MOVED and not NEGATIONS.isdisjoint(words[start:mention.first]):
        return True                                         # "could not be moved to Thursday"
    if clause & MOVED:                                      # "the visit on May 14 was moved to May 28"
        return before[-1:] != ["to"] and (not MOVED.isdisjoint(words[mention.last:end]) or "to" in words[
            mention.last:last] and not MOVED.isdisjoint(words[start:mention.first]) and "to" not in words[
                start:mention.first])
    if clause & TOLD_OF or NEGATIONS.intersection(words[start:mention.first]) \
            or (NEGATIONS - NO_WORDS).intersection(words[mention.last:end]):
        return True
    settled = clause & SETTLED \
        or any(mark.tag[-1] == "+" for mark in find_marks(text, "outcomes", start, end))
    return False if settled else None


def outcome_claims(text, first, last, mentions):
    """The outcomes that a sentence of the summary tells:
    not its wishes, purposes, questions and conditions."""
    if "?" in text.gaps[last]:
        return []
    claims = []
    for stem in joined_stems(text, stems_in(text, first, last)):
        if stem.mood not in ("done", "negated") \
                or stem.stem == "complete" and "refund" in text.words[first:stem.first]:
            continue
        if stem.mood == "negated" and stem.stem in STATES:
            continue
        if stem.stem == "fail" and owner_before(text, first, stem.first) == "callee":
            continue                                # what the callee could not do is no failure of the task
        if stem.stem == "decline" \
                and not NEEDLESS.isdisjoint(text.words[stem.last:min(stem.last + 5, last)]) \
                and text.words[stem.last:stem.last + 2] != ["to", "help"]:
            continue                                # "did not want further help", "decided not to wait"
        if stem.stem == "reschedule" and claims \
                and "after" in text.words[max(first, stem.first - 8):stem.first]:
            continue                                # "cancelled after the departure was moved" tells why
        if stem.stem == "decline" and ({"until", "till", "before", "all", "once", "full"}.intersection(
                text.words[stem.last:stem.last + 3]) or text.words[stem.last - 1] == "pay"
                                       and "full" in text.words[
                    stem.last:min(stem.last + 8, last)]):
            continue                                # "could not pay until the 12th" names the day
        if stem.stem == "complete" and text.words[stem.first] == "played" and not {
                "greeting", "voicemail", "message", "recording"}.isdisjoint(text.words[first:stem.first]):
            continue                                # a greeting that was played completes nothing
        if stem.stem == "no-answer" \
                and {"gave", "given", "got"}.intersection(text.words[stem.first - 2:stem.first]):
            continue                                # somebody was there, and left it open
        if stem.stem == "accept" and stem.first - first < 9 \
                and {"card", "cards", "cash", "checks"}.intersection(
                text.words[clause_start(text, stem.first, first):stem.first]):
            continue                                # what a shop takes is no agreement
        if stem.stem == "complete" and text.words[stem.first] != "waived" \
                and any(text.words[i] == "cancellation" and text.words[i + 1] not in FEES
                        for i in range(max(first, stem.first - 3), stem.last + 4)):
            stem = stem._replace(stem="cancel", sign="-")   # "processed the cancellation"
        if stem.stem == "decline" and {"card", "payment", "transaction"}.intersection(
                text.words[clause_start(text, stem.first, first):stem.first]):
            stem = stem._replace(stem="fail")
        if stem.stem == "fail" and text.words[stem.last] in ("his", "her", "their"):
            stem = stem._replace(stem="decline")    # who "could not make his fitting" was not there to fail
        sign = stem.sign if stem.mood == "done" else "-" if stem.sign == "+" else "+"
        claims.append(claim_of(text, OUTCOME, stem.stem, stem.first, stem.last, polarity=sign,
                               owner=owner_before(text, first, stem.first),
                               topic=topic_near(text, first, last, stem.first),
                               about=object_of(text, stem, first, last),
                               beside=clause_keys(text, stem, first, last, mentions),
                               names=clause_names(text, stem, first, last),
                               also=joined_names(text, stem, first, last),
                               deed=next((root(word) for word in text.words[stem.first:stem.last]
                                          if word in SPECIFIC), None)))
    return claims


NEEDLESS = frozenset("help assistance further anything else wait decide speak".split())


def joined_names(text, stem, first, last):
    """What an outcome's clause has beside it without a verb of its own, as sets of names:
    "agreed to the outing and the camp", "the outing and the camp were accepted"."""
    start, end = clause_around(text, stem, first, last)
    found, spans = [], []
    while end < last and text.words[end] == "and":
        stop = next((i for i in range(end + 1, last) if text.words[i] in CLAUSE_STOPS
                     or not CLAUSE_SIGNS.isdisjoint(text.gaps[i])), last)
        spans.append((end + 1, stop))
        end = stop
    while start > first and text.words[start - 1] == "and":
        begin = clause_start(text, start - 1, first)
        spans.append((begin, start - 1))
        start = begin
    for begin, stop in spans:
        said = text.words[begin:stop]
        if not any(word in AUXILIARIES - {"may"} or word in MODALS - {"may"} or past_form(word)
                   or word in SUBJECTS - {"the", "her", "his", "that", "this", "their", "my", "your"}
                   for word in said):
            found.append(named_words(text, begin, stop))
    return tuple(filter(None, found))


BE_FORMS = frozenset("was were been is are be being got".split())
OBJECT_ENDS = frozenset("on at for by with from in until till before after because per under over about".split())
SPECIFIC = frozenset(           # deeds of their own: the call must speak of them
    "waived upgraded repaired replaced unlocked reinstated transferred activated renewed extended paid".split())
NAMELESS = frozenset(map(root, (
    "alternative same offer slot option original preferred new following next first second both everything "
    "earlier later revised updated final half amount part suggestion request").split()))
GENERIC = frozenset(map(root, ( # any call can be about these without their name
    "appointment booking reservation table visit viewing property event trip ride rental room stay slot time "
    "date order ticket purchase meeting session schedule call request offer proposal option arrangement plan "
    "details change changes interview lesson test tests check checkup window half original preferred new "
    "delivery redelivery pickup collection service job work terms position role spot place seat part amount "
    "alternative suggestion attendance participation availability following same next first second both "
    "everything earlier later revised updated final thing things show concert performance game tour single "
    "person people guest traveler start end beginning shift repair repairs work treatment").split()))


def clause_names(text, stem, first, last):
    """What an outcome's clause names, or its sentence where the clause names nothing."""
    start, end = clause_around(text, stem, first, last)
    own = set(map(root, text.words[stem.first:stem.last]))
    own |= NAMELESS
    own |= {root(text.words[i + 1]) for i in range(start, end) if text.words[i] == "without"}
    names = named_words(text, start, end) - own             # a cake "without nuts" is none of nuts
    # "agreed to come along as a helper"
    if not names and text.words[end] == "as" and end < last:
        names = named_words(text, end + 1, min(end + 4, last)) - own
    if not names and start > first and stem.first - start < 2 and start == max(
            # "drinks were offered and declined"
            start, stem.first - (text.words[start] in BE_FORMS)):
        names = named_words(text, clause_start(text, start - 1, first), start) - own
    return names \
        or (named_words(text, first, last) - own if stem.sign == "+" and stem.mood == "done" else frozenset())


def clause_keys(text, stem, first, last, mentions):
    """The readings of the values in an outcome's clause:
    "turned down $300 and settled on $330" refuses only one."""
    start, end = clause_around(text, stem, first, last)
    if start == stem.first and start > first:               # "Wednesday was offered but turned down"
        start = clause_start(text, start - 1, first)
    return frozenset(key for mention in mentions
                     if start <= mention.first < end or stem.stem == "decline" and len(mentions) < 3
                     for key in mention.keys)


FEES = frozenset("fee fees policy charge charges insurance terms list notice".split())   # "cancellation fee"


def joined_stems(text, stems):
    """Outcomes that speak of one another as one: a confirmed cancellation is a cancellation,
    one decided against is none."""
    stems = [stem for stem in stems if not (stem.stem == "cancel" and text.words[stem.last] in FEES)]
    stems = [stem for stem in stems if not (stem.stem == "fail" and any(
        # "could not be booked" is told once
        0 <= other.first - stem.last < 2 and other.sign == "+" for other in stems))]
    by_stem = {}
    for stem in stems:
        by_stem.setdefault(stem.stem, stem)
    cancel, decline, confirm = (by_stem.get(name) for name in ("cancel", "decline", "confirm"))
    if cancel and decline and 0 <= cancel.first - decline.last < 3 and decline.mood == "done":
        return [stem for stem in stems if stem not in (cancel, decline)] + [cancel._replace(mood="negated")]
    if cancel and confirm and abs(cancel.first - confirm.first) < 6 and confirm.mood == "done" \
            and cancel.mood in ("done", "noun"):
        return [stem for stem in stems if stem not in (cancel, confirm)] + [cancel._replace(mood="done")]
    return stems


def object_of(text, stem, first, last):
    """What was confirmed, booked, waived…, as roots: a particular ("the address"), else all that its phrase
    names, and a verb of its own; empty for names and for what any call is about, "the appointment"."""
    words, end = text.words, stem.last
    start = clause_start(text, stem.first, first)
    if words[stem.first] in NOUN_FORMS:
        return frozenset()                                  # "a reservation was made"
    while end < last and words[end] not in CLAUSE_STOPS and end < stem.last + 6 and text.gaps[end] in LINKS:
        end += 1
    told = PARTICULARS.intersection(words[stem.last:end])
    if told:
        return frozenset(map(root, told))
    passive = not BE_FORMS.isdisjoint(words[max(start, stem.first - 3):stem.first + 1])
    stop = next((i for i in range(stem.last + 1, end) if words[i] in OBJECT_ENDS), end)
    behind = stem.last + 2 * (words[stem.last] == "to")     # "agreed to come in": the deed is no object
    spans = [(start, stem.first)] if passive else [(behind, stop)] if words[stem.last] != "for" else []
    named = [words[i] for a, b in spans for i in range(a, b)
             if i == first or not text.raw[text.starts[i]].isupper()]
    if SPECIFIC.isdisjoint(words[stem.first:stem.last]) and not named:
        return frozenset()
    verbs = SPECIFIC.intersection(words[stem.first:stem.last])
    if not GENERIC.isdisjoint(map(root, named)):
        return frozenset()
    return frozenset(root(word) for word in (*named, *verbs) if word in verbs or is_noun(word))


def is_noun(word):
    """May a word of a summary name a thing?"""
    return thing_of(word) and word not in PEOPLE and word not in CALLEE_NAMES and word not in AGENT_NAMES \
        and word not in RELATIVE_DAYS and not word.endswith("ly")


def topic_near(text, first, last, i):
    """The topic named nearest to word i in its sentence, else the only one named before, or None."""
    start, end = clause_start(text, i, first), i
    while end < last and text.words[end] not in CLAUSE_STOPS and CLAUSE_SIGNS.isdisjoint(text.gaps[end]):
        end += 1
    found = [(abs(j - i), TOPICS[text.words[j]]) for j in range(start, end) if text.words[j] in TOPICS]
    if not found and start > first and named_words(text, start, end):
        return None                                         # "…; the DoubleTree was declined" has its own
    found = found or [(abs(j - i), TOPICS[text.words[j]]) for j in range(first, last)
                      if text.words[j] in TOPICS]
    if "topics" not in text.cache:                          # topic: the first word that names it
        text.cache["topics"] = {TOPICS[word]: n for n, word in reversed(list(enumerate(text.words)))
                                if word in TOPICS}
    named = {topic for topic, n in text.cache["topics"].items() if n < first} if not found else ()
    return min(found)[1] if found else named.pop() if len(named) == 1 else None


def owner_before(text, first, i):
    """Who acts, by the last name of a side before word i in its clause: "agent", "callee" or None."""
    for j in range(i - 1, clause_start(text, i, first) - 1, -1):
        if text.words[j + 1] == "s" and text.gaps[j + 1] == "'":
            continue                                        # "scheduled the caller's visit"
        if text.words[j] in AGENT_NAMES:
            return "agent"
        if text.words[j] in CALLEE_NAMES:
            return "callee"
    return None


def action_claims(text, first, last):
    """The promises that a sentence of the summary tells, and the deeds of DEEDS."""
    claims, marks, words = [], find_marks(text, "actions", first, last), text.words
    for mark in marks:
        mode = action_mode(text, mark, first) if mark.tag not in NO_PROMISES else None
        if not mode:
            continue
        root, owner = mark.tag, None
        if root == "call back" and words[mark.first] == "try" \
                and not {"courier", "driver", "carrier", "postman"}.isdisjoint(
                words[first:mark.first]):
            root = "deliver"                                # "the driver will try again on Monday"
        if root == "send":
            root = next((other.tag for other in marks if other.tag in ("email", "mail", "text")), root)
        if mode in ("promise", "ask") and "be" not in words[max(mark.first - 3, first):mark.first]:
            owner = owner_before(text, first, mark.first) if mode == "promise" and RECEIVERS.isdisjoint(
                # who "will get a text" sends none
                words[max(first, mark.first - 4):mark.first]) else None
            given_to = root in DEEDS and [words[n] for n in range(mark.last + 1, min(last, mark.last + 12))
                                          if words[n] in CALLEE_NAMES and {words[n - 1], words[n - 2]}
                                          & {"to", "for"}]
            owner = owner or (mode == "promise" and given_to and "agent" or None)
        if not any(claim.value == root for claim in claims):
            claims.append(claim_of(text, ACTION, root, mark.first, mark.last, polarity=mode, owner=owner,
                                   about=action_object(text, mark, first, last)))
    return claims


RECEIVERS = frozenset("get gets receive receives".split())


def action_object(text, mark, first, last):
    """What a promise is about, as roots: the words around its verb, up to a preposition where they name
    something."""
    before = [word for word in text.words[clause_start(text, mark.first, first):mark.first]
              if word not in PEOPLE]
    behind = [word for word in text.words[mark.last:last] if word not in PEOPLE]
    stop = next((n for n, word in enumerate(behind) if word in OBJECT_ENDS and n), len(behind))
    return things(before + behind[:stop]) or things(behind)


HELD = frozenset("table slot spot place room it them that item items reservation booking date price seat "
                 "seats car order appointment unit tickets ticket".split())
LEADS = frozenset("will ll shall going to".split())         # what leads a promise's verb


def action_mode(text, mark, first):
    """How an action's word is told: "promise", "ask" (wanted of somebody), "done",
    or None for none of these."""
    words, i = text.words, mark.first
    start = clause_start(text, i, first)
    before = words[start:i]
    # "will email it and arrange a visit"
    if not before and start > first and words[start - 1] == "and":
        before = [word for word in words[clause_start(text, start - 1, first):start - 1] if word in LEADS
                  or word == "needs"]
        before = ["needs", "to"] if "must" in words[first:start] and not before else before
    near = before[-4:]
    if mark.tag == "visit" and words[mark.last - 1] == "by" \
            and words[mark.last] in ("email", "text", "mail", "post") \
            or mark.tag == "confirm" and not {"email", "text", "message"}.isdisjoint(words[start:i]):
        return None                                         # "will come by email", "an email will confirm it"
    if mark.tag == "deliver" and words[i].startswith("br") and "in" in words[mark.last:mark.last + 3]:
        return None                                         # "agreed to bring Biscuit in" comes
    if words[mark.last] in ("nothing", "none", "no") or mark.tag == "hold" and words[i].startswith("hold") \
            and HELD.isdisjoint(words[mark.last:mark.last + 5]):
        return None                                         # "will pay nothing", "will hold a collection"
    if NEGATIONS.intersection(before) \
            or {"whether", "if", "declined", "refused", "otherwise", "unless"}.intersection(before) \
            or mark.tag == "check" and words[mark.last] in ("out", "in") or mark.tag == "ship" \
                and "when" in before:
        # "will text when he is on his way" tells one promise
        return None
    if i and words[i - 1] in ("a", "an", "the", "confirmation", "reminder", "follow", "phone", "this",
                              "that", "your", "his", "her") \
            and mark.tag in ("email", "text", "mail", "call back", "send", "contact", "check", "visit",
                             "update", "transfer", "refund") \
            or i and mark.tag == "refund" and words[i - 1] in ("full", "partial", "charge"):
        if mark.tag == "call back" \
                and words[mark.last:mark.last + 3] in (["will", "be", "made"], ["will", "be", "placed"]):
            return "promise"                                # "a reminder call will be made"
        given = not NEGATIONS.intersection(words[mark.last:mark.last + 4]) \
            and GIVES.intersection(words[mark.last:mark.last + 5] + before)
        if given and not (mark.tag == "call back" and words[i] != "callback" and mark.last == i + 1) \
                and (MODALS | {"was", "were", "been", "is", "promised", "promises", "get",
                               "receive"}).intersection(words[mark.last:mark.last + 4] + before):
            return "promise"                            # "a refund will be issued", "a callback was promised"
        wanted = {"asking", "asked", "asks", "requested", "requesting", "requests", "wants", "left",
                  "leaving"}.intersection(before)
        return "ask" if wanted and mark.tag == "call back" and words[mark.last - 1] in ("callback", "back") \
            and words[mark.last] != "number" else None
    if mark.tag == "book" and i and (words[i - 1] in DETERMINERS or words[i - 1].endswith("ed")):
        return None                                         # "collect the reserved book"
    past = words[i].endswith("ed") or words[i] in ("sent", "brought") or words[i] == "reset" and bool(
        before) and before[-1] not in MODALS | DETERMINERS | BE_FORMS | {"to", "have", "has"}
    if words[i].endswith("ing") and before[-1:] and before[-1] in ("after", "before", "for", "by"):
        return None                                         # "will phone after looking at it"
    lead = max((n for n, word in enumerate(before) if word in LEADS), default=0)
    if not past and not DETERMINERS.isdisjoint(before[lead:]) or before[lead:lead + 1] in (["will"], ["to"]) \
            and mark.last == i + 1 and words[i] in ("texts", "emails", "mails", "calls", "visits", "updates"):
        return None                                         # "agreed to have the chimney visit"
    if past and {"can", "could", "may", "might", "should", "must"}.intersection(near):
        return None                                         # "samples can be brought in"
    if near[-1:] == ["to"] and {"call", "ring", "phone"}.intersection(before[-4:]):
        return None                                         # "will call to book a new one"
    if near[-1:] == ["to"] and {"ask", "tell", "remind", "advise"}.intersection(before[-5:]):
        return None                                         # "will ask him to call" promises to ask
    if {"will", "ll", "shall", "going"}.intersection(before) or "to" in near \
            and {"agreed", "promised", "plans", "offered", "commits", "committed"}.intersection(before):
        return "promise" if not past or "be" in near or "get" in near or "have" in near else None
    if near[-1:] == ["to"] or near[-2:] == ["to", "be"]:
        if {"called", "calling", "order", "rang", "phoned", "tried", "unable", "trying"}.intersection(before):
            return None
        if mark.tag in ("confirm", "book", "schedule"):
            return None                                     # "asked to reschedule" wishes for an outcome
        asked = {"asked", "asks", "asking", "requested", "requests", "wants", "wanted", "needs",
                 "like"}.intersection(before)
        return "ask" if asked else "promise" \
            if len(before) < 5 and {"agent", "team", "office"}.intersection(before) \
            or len(before) == 1 else None
    if mark.tag == "call back" and {"asking", "requesting", "requested", "asked"}.intersection(before) \
            and "for" in near:
        return "ask"
    if past and words[i - 1] == "being":
        return "promise"                                    # "a confirmation is being emailed"
    if past and mark.tag in DEEDS and words[i] != "passed" and not (mark.tag == "charge" and words[i - 1] in (
            "is", "are")):
        return "done"
    return None


def unchecked_claim(text, first, last):
    """The note on a sentence with nothing to check:
    only a masked span, a number that cannot be read, or an opinion."""
    masked = any("#" in gap for gap in text.gaps[first:last + 1])
    spelled = any(word in NUMBER_WORDS and word != "one" for word in text.words[first:last])
    kind = MASKED if masked else SPELLED if spelled else OPINION
    sentence, start = sentence_around(text, first)
    return Claim(cut_around(sentence, 0, 0, 400), kind, None, [start, start + len(sentence)])


# --------------------------------------------------------------------------------------------- anchor


def units_meet(one, other):
    """May a claim's unit be that of a mention? A number without a unit meets any;
    an unknown plural may mean people."""
    if one == other or one is None or other is None:
        return True
    if (one, other) in SAME_UNITS or (other, one) in SAME_UNITS:
        return True
    if one == THING:
        return other in ("person", "room", "option", CODE)
    if other == THING:
        return one in ("room", "option", CODE)
    return CODE in (one, other) and {one, other} & {"person", "usd", "eur", "gbp", "percent"} == set()


def rates_meet(one, other):
    """"$120 in total" is not "$120 a night"."""
    return one == other or None in (one, other) or "total" not in (one, other)


def match_rule(claim, mention, key):
    """None for a literal match of two mentions that share this key, else the rule that it needed."""
    if claim.keys == mention.keys:
        return None
    return claim.keys[key] or mention.keys[key]


def index_of(mentions):
    """key -> the numbers of the mentions that can mean it."""
    index = {}
    for n, mention in enumerate(mentions):
        for key in mention.keys:
            index.setdefault(key, []).append(n)
    return index


MOST = 200              # mentions, events or marks of one kind that a claim is held against: the last ones


def word_firsts(dialogue):
    """word -> the place where the call first says it; made when it is first asked for."""
    if "words" not in dialogue.cache:
        dialogue.cache["words"] = {
            word: n for n, word in reversed(list(enumerate(dialogue.text.words[:dialogue.text.size])))}
    return dialogue.cache["words"]


def grade_value(claim, dialogue):
    """The grade of a number, date or time: the transcript's mention with the same key,
    the likeliest reading first."""
    said, found, fallen, loose = claim.mention, [], [], []
    for key in said.keys:
        for n in reversed(dialogue.index.get(key, ())[-MOST:]):
            mention = dialogue.mentions[n]
            if (key[0] == "=" or units_meet(said.unit, mention.unit)) and rates_meet(said.per, mention.per):
                rule = match_rule(said, mention, key)
                row = rule is not None, -mention.first, rule, mention
                if said.kind == NUMERIC and n in dialogue.ranges and not claim.in_range \
                        or other_slot(claim, dialogue, mention):
                    loose.append(row)
                elif n in dialogue.fallen and not (
                        (claim.told_of or told_beside(claim, dialogue, n) or claim.in_range
                         and said.kind == NUMERIC and n in dialogue.ranges)
                                and (n not in dialogue.corrected or tells_correction(claim))):
                    fallen.append(row)
                else:
                    found.append(row)
                    if rule is None:                # the last that simply means it: none before it is better
                        break
    if found:
        _, _, rule, mention = min(found, key=lambda row: row[:2])
        if said_of_others(claim, dialogue, [row[3] for row in found]):
            return Grade(UNSUPPORTED, dialogue.turn_of(mention.first).index, reason="said_of_something_else")
        return evidence(dialogue, mention.first, mention.last, rule)
    if fallen:
        turn = dialogue.turn_of(min(fallen, key=lambda row: row[:2])[3].first)
        return Grade(UNSUPPORTED, turn.index, reason="superseded")
    if loose:
        turn = dialogue.turn_of(max(loose, key=lambda row: row[1])[3].first)
        return Grade(UNSUPPORTED, turn.index, reason="said_of_something_else")
    if said.value == "1" and said.unit in UNIT_SIZES and UNIT_SIZES[said.unit][0] in ("time", "months"):
        key = "a", said.unit
        if key not in dialogue.cache:
            dialogue.cache[key] = next((i for i in range(1, dialogue.text.size)
                                        if dialogue.text.words[i - 1] in ARTICLES
                                        and UNITS.get(dialogue.text.words[i]) == said.unit), None)
        i = dialogue.cache[key]
        if i:                                               # "for one week": "I'll keep it a week"
            return evidence(dialogue, i - 1, i + 1, "ambiguous_reading")
    if said.value == "1" and not claim.tail:
        i = article_said(claim, dialogue)
        if i is not None:                                   # "one wake-up alarm": "a Wake up alarm"
            return evidence(dialogue, i, i + 1, "ambiguous_reading")
    if claim.tail and any(tail_meets(said.value, tail) for tail in dialogue.masked_tails):
        return Grade(None, reason="masked")
    absent = said.kind not in dialogue.kinds
    return Grade(UNSUPPORTED, reason="kind_absent_from_transcript" if absent else None)


def told_beside(claim, dialogue, n):
    """Does the summary tell a value that fell only beside the one that took its place
    ("1 PM is free and 2:30 PM costs $35; the 1 PM option was chosen")?"""
    at = dialogue.fallen[n]
    if claim.value in WEEKDAY_NAMES and pattern(
            f"day,? and {claim.value}|day, {claim.value}|{claim.value}(?:, and|,| and) [a-z]+day").search(
                claim.text.lower()):
        # "Friday, Saturday and Sunday" tells all of them as taken
        return False
    taken = next((mention for mention in dialogue.mentions_in(at, at + 30, 9)
                  if mention.keys.keys().isdisjoint(claim.mention.keys)
                  and (mention.first == at or same_slot(mention, claim.mention))), None)
    return bool((claim.told_of is None or " but " in claim.text) and claim.beside and taken
                and not claim.beside.isdisjoint(taken.keys)
                and taken.keys.keys().isdisjoint(claim.mention.keys))


CORRECTED = frozenset("unavailable full taken failed gone available declined down up first initially "
                      "originally original corrected correcting correction mistakenly misheard "
                      "mistake previously before changed instead rather not".split())


ARTICLES = frozenset("a an another single".split())


def article_said(claim, dialogue):
    """The word that says "a" of the thing of which the summary says "one"; None if no such is said."""
    told = Text(claim.text.lower())
    named = next((things(told.words[i + 1:i + 4]) for i in range(told.size) if told.words[i] == "one"), ())
    return next((dialogue.articles[name] for name in sorted(named) if name in dialogue.articles),
                dialogue.articles.get("one") if named else None)


def tells_correction(claim):
    """Does the summary say that this value was corrected?"""
    return not CORRECTED.isdisjoint(claim.text.lower().replace(",", " ").replace(".", " ").split())


def tail_meets(value, tail):
    """Can a number end in these two characters of a masked one: "42", or the "wo" of a spelled two?"""
    if tail.isdecimal():
        return value.endswith(tail)
    return any(word.endswith(tail.lower()) and str(CARDINALS[word]) == value[-1:] for word in DIGIT_NAMES)


def other_slot(claim, dialogue, mention):
    """Did the call say this value of something else,
    and of what the claim names another value in the same breath?

    "Pre-op is October 13, and the operation is October 20" does not support "the operation is on October 13".
    """
    if not claim.about or claim.kind != DATE_TIME and claim.mention.unit not in CURRENCY_CODES:
        return False
    text = dialogue.text
    first, last = text.sentence(mention.first)
    rivals = [m for m in dialogue.mentions_in(first, last)
              if same_slot(m, mention) and m.first not in dialogue.range_firsts
              and m.keys.keys().isdisjoint(mention.keys)
              and (m.unit == mention.unit
                   or None in (m.unit, mention.unit) and claim.mention.unit in CURRENCY_CODES)]
    if rivals and tells_past(text, mention, first, last) \
            and not any(tells_past(text, rival, first, last) for rival in rivals) \
            and PASTS.isdisjoint(claim.text.lower().split()):
        return True                                         # "two forty; last year it was two twenty-five"
    if text.words[mention.first - 1] in ("so", "makes", "total"):
        return False                                        # "nine fifty a day, so nineteen dollars" sums up
    if rivals and ":" in claim.value and day_beside(dialogue, mention, first, last, claim.beside):
        return True
    own = phrase_words(text, mention, first, last) if rivals else frozenset()
    head = claim.about & {root(word) for word in claim.text.lower().split()[:3]}
    if rivals and head and head.isdisjoint(own) and any(
            head & (phrase_words(text, rival, first, last)
                    | set(map(root, text.words[rival.last:rival.last + 6])))
            and claim.beside.isdisjoint(rival.keys) for rival in rivals):
        return True                                         # "The deposit is $4,800" of a hire at that price
    # "fork buffet" at the price of the "finger buffet"
    for rival in rivals:
        its = phrase_words(text, rival, first, last)
        if own - its and claim.about & (its - own) and not claim.about & (own - its) \
                and claim.beside.isdisjoint(rival.keys):
            return True
    if not rivals and told_by_neighbour(claim, dialogue, mention, first, last):
        return True
    if claim.about & own or not any(len(word) > 1 and word not in FUNCTION_WORDS
                                    for word in text.words[first:mention.first]):
        return False
    return any(claim.beside.isdisjoint(rival.keys)
               and claim.about & (phrase_words(text, rival, first, last) - own) for rival in rivals)


def told_by_neighbour(claim, dialogue, mention, first, last):
    """Does the sentence of a time name its own thing, and one beside it give another time for what is
    claimed?

    "It starts at seven forty-five. Doors open at seven fifteen." against "the film starts at 7:15".
    """
    text, own = dialogue.text, things(dialogue.text.words[first:mention.first])
    if ":" not in claim.value or claim.told_of or not own or claim.about & things(text.words[first:last]):
        return False
    utterance = dialogue.utterances[bisect_right(dialogue.utterance_firsts, first) - 1]
    return any(same_slot(other, mention) and other.keys.keys().isdisjoint(mention.keys)
               and claim.beside.isdisjoint(other.keys) and other.first not in dialogue.range_firsts
               and claim.about & things(text.words[text.sentence(other.first)[0]:other.first])
               for other in dialogue.mentions_in(max(utterance.first, first - 30),
                                                 min(utterance.last, last + 30),
                                                 20))


PASTS = frozenset("last previous previously used was were old former formerly until from".split())


def tells_past(text, mention, first, last):
    """Does the clause of a value tell it as one of before ("last year it was …", "it used to be …")?"""
    start, end = clause_around(text, mention, first, last)
    said = text.words[start:end]
    return "used" in said or "last" in said and not {"year", "month", "time", "season"}.isdisjoint(said)


def swapped(claim, claims, dialogue):
    """Did two values of the summary trade their places: does the call say each of what the other is told of?

    "Oil change is seventy-nine. Front pads, two forty." against "oil change $240, front pads $79".
    """
    for other in claims:
        if other.about and other.mention and other.mention.unit == claim.mention.unit \
                and same_slot(other.mention, claim.mention) \
                and other.mention.keys.keys().isdisjoint(claim.mention.keys):
            mine, theirs = claim.about - other.about, other.about - claim.about
            mine, theirs = (mine - {claim.value, other.value}, theirs - {claim.value, other.value})
            if mine and theirs:
                own, its = labels_said(dialogue, claim.mention), labels_said(dialogue, other.mention)
                if mine & its and theirs & own and not mine & own and not theirs & its:
                    return True
    return False


def left_behind(claim, dialogue, least):
    """Was a value said only before a recap, of at least so many values, that was borne out with another in
    its
    place, which the summary does not tell?"""
    said = max(n for key in claim.mention.keys for n in dialogue.index.get(key, ())[-1:])
    if any(not keys.isdisjoint(claim.mention.keys) for _, keys in dialogue.recaps) \
            or ends_span(dialogue.text, dialogue.mentions[said]):
        return False                                        # "on tablets until Sunday" is no slot
    return any(said < numbers.start and len(numbers) >= least and any(
        dialogue.mentions[n].kind == DATE_TIME and same_slot(dialogue.mentions[n], claim.mention)
        and dialogue.wanted.isdisjoint(dialogue.mentions[n].keys)
        for n in numbers) for numbers, _ in dialogue.recaps)


def labels_said(dialogue, value):
    """All that the call says a value of: the words of its sentence, or of its clause where that has
    rivals."""
    key = "labels", tuple(value.keys), value.unit
    if key not in dialogue.cache:
        found = dialogue.cache[key] = set()
        for n in {n for key in value.keys for n in dialogue.index.get(key, ())[-MOST:]}:
            mention = dialogue.mentions[n]
            first, last = dialogue.text.sentence(mention.first)
            alone = not any(same_slot(m, mention) and m.keys.keys().isdisjoint(mention.keys)
                            for m in dialogue.mentions_in(first, last))
            found |= labels_of(dialogue.text, mention, first, last, alone)
            number = bisect_right(dialogue.utterance_firsts, mention.first) - 1
            asked = dialogue.utterances[number - 1] if number > 0 else None
            if asked and alone and asked.sentences[-1].asks and first == dialogue.utterances[number].first \
                    and not things(dialogue.text.words[first:mention.first]):
                # "And a buggy?"
                found |= things(dialogue.text.words[asked.sentences[-1].first:asked.last])
    return dialogue.cache[key]


KINDS = frozenset("adult adults child children kid kids student students senior seniors member members".split())


def labels_of(text, mention, first, last, whole=False):
    """What a value is said of: the roots of its clause's words, or of its whole sentence's, and a weekday."""
    start, end = (first, last) if whole else clause_around(text, mention, first, last)
    if "(" in text.gaps[start] and start > first:           # "Tuesdays at 8 PM ($60)"
        start = clause_start(text, start - 1, first)
    return phrase_words(text, mention, start, end) | {
        WEEKDAYS.get(word) or root(word) for word in text.words[start:end] if word in WEEKDAYS
            or word in KINDS}


def said_of_others(claim, dialogue, found):
    """Is each mention of a value said of another thing than the claim names, and a rival value said of that?

    "Family Theater has Freestyle Love Supreme at six, Union Stage has Carbon Leaf at seven" does not support
    "Freestyle Love Supreme at seven".
    """
    if claim.kind != DATE_TIME and claim.mention.unit not in CURRENCY_CODES or len(found) > 4 \
            or not claim.about \
            or any(not keys.isdisjoint(claim.mention.keys) for _, keys in dialogue.recaps):
        return False
    labels = [whole_labels(dialogue, mention) for mention in found]
    if any(3 * len(own & claim.about) >= len(own) for own in labels):
        return False
    names = frozenset(root(name.lower())
                      for name in pattern(r"(?<=[a-z,] )[A-Z][a-z]{2,}").findall(claim.text))
    told = things(Text(claim.text.lower()).words) if names else names
    if not told or any(3 * len(own & told) > len(own) for own in labels):
        return False
    rivals = [m for m in dialogue.mentions[-MOST:] if m.kind == claim.kind and m.unit == claim.mention.unit
              and same_slot(m, claim.mention) and m.keys.keys().isdisjoint(claim.mention.keys)
              and claim.beside.isdisjoint(m.keys)]
    for mention, own in zip(found, labels):
        if not any(own - its and (its - own) & names and not (own - its) & told
                   and proper_names(dialogue, mention) - its
                   for its in (whole_labels(dialogue, rival) for rival in rivals)):
            return False
    return True


def proper_names(dialogue, mention):
    """The roots of the capitalised words in the sentence of a mention, but for its first."""
    text = dialogue.text
    first, last = text.sentence(mention.first)
    return {root(text.words[i]) for i in range(first + 1, last) if text.raw[text.starts[i]].isupper()
            and thing_of(text.words[i])}


def whole_labels(dialogue, mention):
    """The roots of all that the sentence of a mention names."""
    key = "sentence", mention.first
    if key not in dialogue.cache:
        dialogue.cache[key] = things(dialogue.text.words[slice(*dialogue.text.sentence(mention.first))])
    return dialogue.cache[key]


def day_beside(dialogue, clock, first, last, claimed):
    """Does a sentence give a time to one weekday and name the claimed one too
    ("Saturday nine to one, Monday ten to two")?"""
    text, days = dialogue.text, [m for m in dialogue.mentions_in(first, last) if m.value in WEEKDAY_NAMES]
    mine = [day for day in days
            if clause_start(text, clock.first, first) == clause_start(text, day.first, first)] \
        or [day for day in days if day.first < clock.first]
    return len(days) > 1 and bool(mine) and mine[-1].value not in claimed and any(
        day.value in claimed for day in days) and len(claimed.intersection(WEEKDAY_NAMES)) == 1


def phrase_words(text, mention, first, last):
    """The roots of the content words of the clause around a mention."""
    start, end = clause_around(text, mention, first, last)
    return things(text.words[start:mention.first] + text.words[mention.last:end])


def evidence(dialogue, first, last, rule=None):
    """A SUPPORTED grade that points to these words."""
    turn = dialogue.turn_of(first)
    return Grade(SUPPORTED, turn.index, rule, dialogue.quote(first, last), turn.speaker)


def grade_outcome(claim, dialogue, others):
    """The grade of an outcome: design section 6, evidence by rank; the last decisive word wins."""
    events, stem = dialogue.events, claim.value
    positive = claim.polarity == "+"
    if stem in STATES:
        return grade_state(claim, dialogue, others)
    spoken, recorded = dialogue.spoken, dialogue.recorded
    deciding = decisive(claim, dialogue)
    if (positive or stem in ("decline", "cancel")) and any("wrong-number" in event.stems for event in events):
        return unsupported(dialogue, claim, "wrong_party")
    if positive and stem in POSITIVE:
        if recorded and not spoken:
            return contradiction(dialogue, recorded[-1].first, recorded[-1].last, "recorded_voice")
        if told_earlier(claim, others):                     # "was moved, and then the customer cancelled"
            while deciding and deciding[-1].sign == "-" and any(event.sign == "+" for event in deciding):
                deciding = deciding[:-1]
        kept = pattern(r"\b(?:committed|agreed|promised) to ([a-z]+)").search(claim.text) \
            if stem == "accept" \
            else None
        word = kept and kept_promise(claim, dialogue, root(kept[1]))
        # "committed to dropping in a bill": "I'll drop a bill in"
        if word:
            return evidence(dialogue, word, word + 1, "late_acknowledgement")
        if deciding and deciding[-1].sign == "-":
            against = deciding[max((n for n, event in enumerate(deciding) if event.sign != "-"), default=-1)
                               + 1:]
            last = [event for event in against if event.callee][-1:] or against[-1:]
            return contradiction(dialogue, last[0].first, last[0].last)
        if deciding and deciding[-1].sign == "~":
            pencilled = "pencil" in claim.text.lower() and [event for event in deciding if any(
                word.startswith("pencil") for word in dialogue.text.words[event.first:event.last])]
            return evidence(dialogue, pencilled[-1].first, pencilled[-1].last) if pencilled \
                else unsupported(dialogue, claim, "hedged")
        for names in claim.also or ():
            other = [event for event in decisive(claim._replace(names=names, also=None), dialogue)
                     if event.context & names and event.callee]
            if other and other[-1].sign == "-":     # "agreed to the outing and the camp": "the camp, no"
                return contradiction(dialogue, other[-1].first, other[-1].last)
        if claim.about and not dialogue.speaks_of(claim.about) and not (
                claim.about.isdisjoint(map(root, PARTICULARS)) and any(stem in event.stems and not event.rule
                                                                       for event in deciding)):
            return unsupported(dialogue, claim, "never_mentioned")
        if stem == "reschedule" and not dialogue.changes:
            return unsupported(dialogue, claim, "never_mentioned")
        if claim.deed in DEED_WORDS and not deed_named(claim.deed, dialogue):
            return unsupported(dialogue, claim, "never_mentioned")
        if claim.deed and dialogue.promised_only(claim.deed):
            return unsupported(dialogue, claim, "only_promised")
        if stem == "book" and deciding and only_call_back(claim, dialogue, deciding[-1]):
            return unsupported(dialogue, claim, "only_promised")
        part = refused_part(claim, dialogue) if stem in ("book", "complete") else None
        if part:
            return contradiction(dialogue, part.first, part.last)
        for event in reversed(deciding):
            if event.sign != "+":
                break
            if event.stems & FAMILIES[stem]:
                return evidence(dialogue, event.first, event.last, event.rule)
        if stem == "complete" and not deciding and len(spoken) > 2 and "survey" in claim.text.lower():
            return evidence(dialogue, spoken[-1].first, spoken[-1].last, "late_acknowledgement")
        return unsupported(dialogue, claim)
    if positive:                                            # "never cancelled": nothing was cancelled
        hit = [event for event in events if stem in event.stems]
        if hit and deciding and (deciding[-1].sign != "+" or not hit[-1].callee and not any(
                event.callee and event.sign == "+" and event.first > hit[-1].first for event in deciding)):
            return contradiction(dialogue, hit[-1].first, hit[-1].last)
        kept = [event for event in deciding if event.sign == "+"]
        last = (spoken or dialogue.utterances)[-1:]
        return evidence(dialogue, kept[-1].first, kept[-1].last, kept[-1].rule) if kept else evidence(
            dialogue, last[0].first, last[0].last, "negated_outcome") if last and not hit \
            else unsupported(dialogue, claim)
    if stem in POSITIVE:                                    # "was not confirmed"
        last = (recorded or spoken or dialogue.utterances)[-1:]
        return not_reached(claim, deciding, dialogue, others) or (evidence(
            dialogue, last[0].first, last[0].last, "negated_outcome") if last
                                                           else unsupported(dialogue, claim))
    refused = [n for key in claim.beside or () for n in dialogue.index.get(key, ()) if n in dialogue.fallen]
    if refused and stem == "decline":                   # a value that was refused, whatever came of the rest
        mention = dialogue.mentions[max(refused)]
        return evidence(dialogue, mention.first, mention.last)
    hit = [event for event in deciding if event.sign == "-" and event.stems & FAMILIES[stem]]
    if stem == "cancel" and not hit:                        # "I've cancelled the Friday; Wednesday stays"
        hit = [event for event in events if not event.callee and "cancel" in event.stems
               and event.sign == "-"]
        hit = hit if tells_success(others) else []
    if hit and tells_success(others):
        return evidence(dialogue, hit[-1].first, hit[-1].last, hit[-1].rule)
    after = [event for event in deciding
             if event.sign == "+" and event.callee and (not hit or event.first > hit[-1].first)
             and not (event.context and claim.names and not event.context & claim.names)
             and not (hit and elsewhere(event, dialogue, claim.names, stem))]
    if after and not (hit and stem == "cancel" and stem in hit[-1].stems and not hit[-1].callee):
        return contradiction(dialogue, after[-1].first, after[-1].last)
    if hit:
        return evidence(dialogue, hit[-1].first, hit[-1].last, hit[-1].rule)
    done = [event for event in deciding if event.sign == "+"]
    if done and deciding[-1].sign == "+":
        return contradiction(dialogue, done[-1].first, done[-1].last)
    return unsupported(dialogue, claim)


# a deed by its root: the words of which a call that speaks of it has one
DEED_WORDS = {root(row.split(": ")[0]): frozenset(row.split(": ")[1].split()) for row in """
waived: waive waived waiving off free drop dropped remove removed skip complimentary courtesy goodwill excuse refund
upgraded: upgrade upgraded upgrading bigger better faster premium next plus
reinstated: reinstate reinstated reinstating back again restore restored active
renewed: renew renewed renewing renewal renews continue another extend extended""".strip().split("\n")}


def deed_named(deed, dialogue):
    """Does a call speak of a deed, a fee waived also as "no charge" or "we won't charge you"?"""
    key = "deed", deed
    if key not in dialogue.cache:
        words = dialogue.text.words
        dialogue.cache[key] = not DEED_WORDS[deed].isdisjoint(words) or deed == "waiv" and any(
            word in ("charge", "fee", "cost", "pay") and not NEGATIONS.isdisjoint(words[max(i - 4, 0):i])
            for i, word in enumerate(words))
    return dialogue.cache[key]


def kept_promise(claim, dialogue, verb):
    """Where the callee promised a deed of this verb, about what the claim names: its word, or None."""
    text = dialogue.text
    if "kept" not in dialogue.cache:                        # verb: where it is promised
        dialogue.cache["kept"] = {}
        for i in range(2, text.size):
            if text.words[i - 1] in ("ll", "will") and text.words[i - 2] in ("i", "we"):
                dialogue.cache["kept"].setdefault(root(text.words[i]), []).append(i)
    return next((i for i in dialogue.cache["kept"].get(verb, ())[-MOST:] if dialogue.speaker_at(i) == "callee"
                 and (claim.names or frozenset()) & named_words(text, *text.sentence(i))), None)


def only_call_back(claim, dialogue, event):
    """Was a time agreed only for another call ("I'll call you tomorrow at ten, then"), which is no
    booking?"""
    if event.rule is None or not claim.beside \
            or {"call", "callback", "follow"}.intersection(claim.text.lower().split()) \
            or event.number + 1 >= len(dialogue.utterances):
        return False
    after = dialogue.utterances[event.number + 1]
    return any(mark.tag == "call back" and dialogue.text.words[mark.first - 1] in ("ll", "will") and any(
                   not claim.beside.isdisjoint(mention.keys) and ":" in "".join(mention.keys)
                   for mention in dialogue.mentions_in(mark.last, mark.last + 8))
               for mark in find_marks(dialogue.text, "actions", after.first, after.last))


def refused_part(claim, dialogue):
    """The refusal of one of several things that are told as booked ("the skis and a helmet"), or None."""
    events, names = dialogue.all_events[-MOST:], claim.names or frozenset()
    return next((event for event in events if event.sign == "-" and event.callee
                 and event.rule == "answered_question"
                 and not event.soft and len(event.context & names) > 1 and not any(
                     later.sign == "+" and later.first > event.first and later.context & event.context & names
                     for later in events) and any(other.sign == "+" and other.context
                                                  & (names - event.context)
                                                  for other in events)), None) if len(names) > 2 else None


def only_promised(dialogue, deed):
    """Does the call speak of a deed that the summary tells as done ("has paid") as one to come, and no
    more?"""
    if any("complete" in event.stems and not event.rule and not event.soft
           and event.stems != DONE_STEMS for event in dialogue.all_events):
        return False
    text, paid = dialogue.text, deed == "paid"
    same = {"paid", "pay"} if paid else {deed}
    said = [i for i in range(text.size) if root(text.words[i]) in same and text.words[i - 1] not in PAID_TO
            and not (paid and "?" in text.gaps[text.sentence(i)[1]])]
    if said and not paid and any(event.sign == "+" and not event.rule and event.first > said[-1]
                                 for event in dialogue.all_events):
        return False
    return bool(said) and all(not past_form(text.words[i]) and "?" not in text.gaps[text.sentence(i)[1]]
                              and not PROMISES.isdisjoint(text.words[max(i - 5, 0):i])
                              or not UNREAL.isdisjoint(text.words[max(i - 6, 0):i]) for i in said)


UNREAL = frozenset("want wants wanted whether if could would asked".split())
PAID_TO = frozenset("get gets getting m am".split())        # "I get paid on the twenty-third"
CHANGED = frozenset("instead earlier later another new different swap switch switched change changed "
                    "changing over rather put bring brought other actually sorry no not can't can "
                    "cannot".split())


def speaks_of_change(dialogue):
    """What Dialogue.changes returns, worked out."""
    text = dialogue.text
    return bool(dialogue.fallen) or not CHANGED.isdisjoint(text.words) or any(
        mark.tag == "reschedule +" and CONDITIONS.isdisjoint(text.words[slice(*text.sentence(mark.first))])
        for mark in find_marks(text, "outcomes"))


def told_earlier(claim, others):
    """Does the summary go on to tell a cancellation or refusal after this outcome?"""
    return any(other.kind == OUTCOME and other.polarity == "-" and other.value in ("cancel", "decline")
               and other.span[0] > claim.span[0] for other in others[:400])


def not_reached(claim, deciding, dialogue, others):
    """The grade of an outcome told as failed or not reached, by the events that decide it;
    None if there are none."""
    against = [event for event in deciding if event.sign in "-~"]
    if deciding and deciding[-1].sign == "+" and not (against and tells_success(others)):
        failed = failed_value(claim, dialogue)
        if failed:                                          # "since 12:15 could not be had" it was noon
            return evidence(dialogue, failed.first, failed.last, "negated_outcome")
        if not speaks_of_another(claim, dialogue, others) and not (deciding[-1].bound and not claim.names):
            return contradiction(dialogue, deciding[-1].first, deciding[-1].last)
    return evidence(dialogue, against[-1].first, against[-1].last, "negated_outcome") if against else None


def failed_value(claim, dialogue):
    """The failure after which no more was said of a day or time that the summary tells as failed, or None."""
    for event in dialogue.events[-MOST:]:
        if event.sign == "-" and event.stems & {"fail", "unavailable"}:
            for key in claim.beside or ():
                said = [dialogue.mentions[n] for n in dialogue.index.get(key, ())[-1:]
                        if dialogue.mentions[n].kind == DATE_TIME]
                if said and event.first - 80 < said[0].first < event.last:
                    return event
    return None


def speaks_of_another(claim, dialogue, others):
    """Does the summary tell a booking too, and this as another thing that was left ("no room was booked")?"""
    told = any(other.kind == OUTCOME and other.polarity == "+" and other.value in POSITIVE and (
                   other.value != "accept" or other.names and not other.names & (claim.names or frozenset()))
               for other in others[:400])
    return told and not any(event.sign == "+" and not event.soft and event.context
                            & (claim.names or frozenset())
                            for event in dialogue.all_events[-MOST:])


def tells_success(claims):
    """Does the summary tell an agreement too? Then a failure or refusal in it is one of several things,
    or an earlier one."""
    return any(claim.kind == OUTCOME and claim.polarity == "+" and claim.value in POSITIVE
               for claim in claims[:400])


def decisive(claim, dialogue):
    """The events that can decide an outcome, in order.

    After a stated failure only a stated success counts as agreed. Where a question about what the claim names
    was answered, the answer to one about something else decides nothing; nor does what fails or is refused
    after the thing was stated as done, if it is another thing.
    """
    key = claim.topic, claim.names, claim.polarity, claim.beside, claim.value, claim.deed
    if key not in dialogue.cache:
        dialogue.cache[key] = deciding_events(claim, dialogue)
    return dialogue.cache[key]


def deciding_events(claim, dialogue):
    """What decisive returns, worked out once for all claims with the same topic and names."""
    names = claim.names or frozenset()
    about = names.union(claim.beside or (), claim.about or (), LISTED.intersection(
        map(root, claim.text.lower().split())) if claim.value == "complete" else ())
    events = [event for event in dialogue.all_events[-MOST:]
              if (dialogue.concerns(event, claim.topic) or event.sign == "-" and event.context & names)
              and (not event.soft or event.context & about and (
                  event.sign != "+" or claim.polarity == "+" and (
                      event.stems != YES_STEMS or claim.value in ("confirm", "accept"))))]
    deeds = SYNONYMS.get(claim.deed, frozenset()) | {claim.deed} if claim.deed else ()
    own = [event for event in events if event.context & deeds or not deeds.isdisjoint(
        map(root, dialogue.text.words[event.first:event.last]))] if deeds else []
    events = own or events
    if names and any(event.context & names and (event.bound or not event.soft)
                     or not event.rule and event.sign == claim.polarity == "+" for event in events):
        against = any(event.sign == "-" and event.context & names for event in events)
        events = [event for event in events if not event.callee or not event.context or event.context & names
                  or event.sign == "+" and (not event.rule and not (against and event.bound)
                                            or event.bound and reoffered(dialogue, event))]
    deciding, failed, closed, agreed, bound = [], False, None, None, None
    for event in events:
        if bound and not bound.context & event.context and is_aside(event, dialogue, bound, claim) \
                or event.rule == "late_acknowledgement" and event.last - event.first < 2 and deciding \
                and deciding[-1].sign == "-" and deciding[-1].callee and deciding[-1].context & names:
            continue                                    # "the camp, no" stands, whatever becomes of the rest
        if event.callee and event.sign == "+" and names and event.context and not event.context & about \
                and deciding \
                and deciding[-1].sign in "-~" and deciding[-1].callee and not dates(dialogue, event):
            continue                                    # a no to the gift, then a yes to the newsletter
        if event.bound and event.context & names:
            bound = event
        if event.context and event.sign == "+" and not event.callee and deciding \
                and deciding[-1].sign == "-" \
                and deciding[-1].context & names and claim.beside and event.context.isdisjoint(claim.beside):
            # "see you on the tenth" takes up nothing that was refused
            continue
        if event.stems <= {"opt-out", "wrong-number"} \
                or failed and event.sign == "+" and event.stems & YES_STEMS \
                and not event.stems & {"complete"} and not (event.callee and reoffered(dialogue, event)) \
                and not (event.bound and event.context & names):
            continue
        if claim.value != "cancel" and "cancel" in event.stems and not event.callee and deciding \
                and deciding[-1].sign == "+" \
                and deciding[-1].callee:
            continue                                # the old date is cancelled, the new one was just taken
        if event.sign == "-" and claim.polarity == "+" and turns_down_hour(event, claim, dialogue):
            # "one o'clock I can't do", and something else was agreed
            continue
        done = closed or event.callee and event.rule == "answered_question" and agreed
        if claim.value == "decline" and event.callee and (
                not event.context or not names and event.rule == "answered_question"):
            # "wanna get it?" - "I do not": that is what is told
            done = None
        if done and event.sign in "-~" and strays(event, claim, dialogue, done):
            continue
        failed = "fail" in event.stems or failed and event.sign != "+"
        agreed = None if failed else agreed
        if event.sign == "+" and event.callee and (event.stems & POSITIVE or dates(dialogue, event)):
            agreed = event                  # to what was asked by its name: a later no is to something else
        if event.sign == "+" and not event.rule and not event.callee and not strays(event, claim, dialogue):
            closed = event
        deciding.append(event)
    return deciding


def elsewhere(event, dialogue, names, claim_value):
    """Does an "okay" take note of other things than a claim names, which offer nothing ("It'll be ready at
    four")?"""
    if not names or event.context or event.rule != "late_acknowledgement" or not event.number \
            or not GO_VERBS.union(["sign",
                "put"]).difference(["be"]).isdisjoint(dialogue.text.words[event.first:event.last]):
        return False
    asked = dialogue.utterances[event.number - 1]
    named = named_words(dialogue.text, max(asked.first, asked.last - MOST_ASKED), asked.last)
    if claim_value == "decline" and any(mark.tag[:6] == "cancel" for mark in find_marks(
            dialogue.text, "outcomes", asked.first, asked.last)):
        # "So it's cancelled." - "That's correct." takes no offer
        return True
    return bool(named) and not named & names and not any(sentence.asks for sentence in asked.sentences) \
        and not any(mark.tag[:6] == "cancel" for mark in find_marks(
            dialogue.text, "outcomes", asked.first, asked.last) if claim_value == "cancel") \
        and OFFERS.isdisjoint(dialogue.text.words[asked.first:asked.last])


def turns_down_hour(event, claim, dialogue):
    """Does a refusal turn down only an hour that it names, and the claim tells another one, or another
    thing?"""
    text = dialogue.text
    start = clause_start(text, event.first, text.sentence(event.first)[0])
    hours = {key for mention in dialogue.mentions_in(start, event.first, 4) if mention.kind == DATE_TIME
             for key in mention.keys if ":" in key}
    if not hours:
        return False
    told = {key for key in claim.beside or () if ":" in key}
    return bool(told) and told.isdisjoint(hours) or not told and any(
        other.sign == "+" and other.bound and other.context & (claim.names or frozenset())
        for other in dialogue.all_events[-MOST:])


def reoffered(dialogue, event):
    """Does a yes answer the offer of another day or time?"""
    asked = dialogue.utterances[event.number - 1] if event.number else None
    since = max(asked.first, asked.last - MOST_ASKED) if asked else 0
    if asked and event.bound and "but" in dialogue.text.words[since:asked.last] \
            and event.context & named_words(dialogue.text, since, asked.last):
        return True                                         # "… but we have it in grey." - "Grey's fine."
    return asked and any(mention.kind == DATE_TIME for mention in dialogue.mentions_in(
        asked.first, asked.last, 20)) and not {"can", "could", "or"}.isdisjoint(
            dialogue.text.words[asked.first:asked.last]) and "?" not in dialogue.text.gaps[asked.last]


def dates(dialogue, event):
    """Does an event answer words that named a day or a time?"""
    asked = dialogue.utterances[event.number - 1] if event.number else None
    return event.rule == "answered_question" and asked and any(
        mention.kind == DATE_TIME for mention in dialogue.mentions_in(asked.first, asked.last, 20))


def is_aside(event, dialogue, bound, claim):
    """Does an event speak of another thing than the answer before it that named its own?"""
    if event.callee:
        return bool(event.context) or event.rule == "late_acknowledgement" or dates(dialogue, event) \
            and not any(
            ":" in key or key[:3] in MONTH_NAMES or key in WEEKDAY_NAMES for key in claim.beside or ())
    named = named_words(dialogue.text, *dialogue.text.sentence(event.first))
    return event.sign == "+" and bool(named) and named.isdisjoint(bound.context)


def strays(event, claim, dialogue, closed=None):
    """Is an event about another thing than the claim:
    another topic, or, failed or refused, another object?"""
    topics = dialogue.topic_of(event, True) if claim.topic and not event.context \
        & (claim.names or frozenset()) \
        else ()
    if topics and claim.topic in dialogue.all_topics and claim.topic not in topics:
        return True
    if event.rule == "answered_question" and event.sign == "-" and not event.context:
        # a "no" to a question that names nothing, once all is done
        before = dialogue.utterances[event.number - 1]
        return not proposes(dialogue, before)
    names = claim.names or (named_words(dialogue.text, max(0, closed.last - 1000), closed.last)
                            if closed and event.context else ())
    return event.sign != "+" and bool(event.context and (names or closed)) and not event.context & names \
        and event.context.isdisjoint(claim.beside or ())


AVAILABLE = frozenset("free available availability open space room left stock spare vacancy".split())


def grade_state(claim, dialogue, others):
    """Outcomes that are states of the call: a mailbox, nobody there, wrong number,
    opt-out, sold out, failed."""
    stem = claim.value
    recorded = dialogue.recorded
    if stem in ("voicemail", "no-answer") and recorded:
        return evidence(dialogue, recorded[0].first, recorded[0].last)
    if stem == "unavailable" and (recorded or dialogue.facts.keys() & {"voicemail", "no-answer", "busy"}):
        return evidence(dialogue, recorded[0].first, recorded[0].last) if recorded \
            else Grade(SUPPORTED, None, "record_field")
    fact = dialogue.facts.get(stem) \
        or stem == "no-answer" and next(filter(None,
                                               map(dialogue.facts.get, ("voicemail", "busy", "declined"))),
                                        None)
    if fact:
        return Grade(SUPPORTED, None, "record_field", str(fact)[:160])
    hit = [event for event in dialogue.events if event.stems & FAMILIES[stem] and event.sign == "-"]
    if stem == "opt-out" and not hit and any("wrong-number" in event.stems for event in dialogue.events):
        # "the number will be removed"
        hit = [event for event in dialogue.events if "wrong-number" in event.stems]
    if hit and stem != "fail":
        return evidence(dialogue, hit[-1].first, hit[-1].last)
    if stem == "no-answer" and "reach" in claim.text \
            and not any(event.sign == "+" for event in dialogue.events) and dialogue.turns:
        return evidence(dialogue, dialogue.utterances[-1].first, dialogue.utterances[-1].last,
                        "negated_outcome")
    failed = failed_value(claim, dialogue) if stem == "unavailable" else None
    # "7:15 was not available": "I couldn't book that time"
    if failed:
        return evidence(dialogue, failed.first, failed.last)
    if stem == "unavailable":
        marks = find_marks(dialogue.text, "refused") or [
            event for event in dialogue.all_events[-MOST:] if event.sign == "-" and event.number
                and not AVAILABLE.isdisjoint(
                dialogue.text.words[max(dialogue.utterances[event.number - 1].first,
                                        event.first - 100):event.first])]
        if marks:
            return evidence(dialogue, marks[-1].first, marks[-1].last)
        word = next((word_firsts(dialogue)[said] for said in ("earliest", "soonest")
                     if said in word_firsts(dialogue)),
                    None)
        if word is not None and not {"earlier", "sooner"}.isdisjoint(claim.text.lower().split()):
            return evidence(dialogue, word, word + 1)
    if stem == "fail":
        missed = [mark for mark in find_marks(dialogue.text, "outcomes") if mark.tag[:9] == "no-answer"]
        # "could not be delivered": "there was no answer at the door"
        if missed and "deliver" in claim.text.lower():
            return evidence(dialogue, missed[-1].first, missed[-1].last)
        word = said_negated(claim, dialogue)
        if word is not None:
            return evidence(dialogue, word, word + 1, "negated_outcome")
        grade = not_reached(claim, decisive(claim, dialogue), dialogue, others)
        if grade or recorded:
            return grade or evidence(dialogue, recorded[-1].first, recorded[-1].last)
    return unsupported(dialogue, claim)


def said_negated(claim, dialogue):
    """Where the call says a failure's own verb negated ("I can't promise" for "could not be promised"):
    its word, or None."""
    told = Text(claim.text)
    verbs = {told.words[mark.last][:6] for mark in find_marks(told, "outcomes")
             if mark.tag[:4] == "fail" and len(told.words[mark.last]) > 4}
    text = dialogue.text
    for i in range(text.size) if verbs else ():
        if text.words[i][:6] in verbs \
                and NEGATIONS.intersection(text.words[clause_start(text, i, text.sentence(i)[0]):i]):
            return i
    return None


def contradiction(dialogue, first, last, reason=None):
    """A CONTRADICTED grade, by the turn of these words."""
    turn = dialogue.turn_of(first)
    return Grade(CONTRADICTED, turn.index, None, dialogue.quote(first, last), turn.speaker,
                 reason, turn.index)


def unsupported(dialogue, claim, reason=None):
    """An UNSUPPORTED grade of an outcome, with what was there instead:
    only the agent's own words, or nothing."""
    if not reason:
        if "speakers" not in dialogue.cache:                # stem: who said it
            speakers = dialogue.cache["speakers"] = {}
            for mark in find_marks(dialogue.text, "outcomes"):
                speakers.setdefault(mark.tag.rsplit(" ", 1)[0], set()).add(
                    dialogue.turn_of(mark.first).speaker)
        speakers = dialogue.cache["speakers"].get(claim.value)
        reason = "only_agent_said" if speakers == {"agent"} else None if speakers or dialogue.events \
            else "kind_absent_from_transcript"
    return Grade(UNSUPPORTED, reason=reason)


def grade_action(claim, dialogue):
    """The grade of a promise: the same action promised, asked for or done in any turn, by the same side."""
    key = claim.kind, claim.value, claim.owner, claim.about, claim.polarity
    if key not in dialogue.cache:
        dialogue.cache[key] = search_actions(claim, dialogue)
    return dialogue.cache[key]


def search_actions(claim, dialogue):
    """What grade_action returns, worked out."""
    text, best, reason, no_at, tags = dialogue.text, None, None, 0, {claim.value,
                                                                     *ACTION_FAMILIES.get(claim.value, ())}
    if claim.owner is None and claim.polarity == "promise":
        # "Arrow Taxis will call"
        firm = pattern(r"\b[A-Z][a-z]+ ([A-Z][a-z]{2,}) will\b").search(claim.text)
        claim = claim._replace(owner=dialogue.sides.get(subject_of(claim)) or firm and dialogue.sides.get(
            root(firm[1].lower())))
    named = promiser(claim)
    if "actions" not in dialogue.cache:
        by_tag = dialogue.cache["actions"] = {}
        for mark in find_marks(text, "actions"):
            by_tag.setdefault(mark.tag, []).append(mark)
    marks = [mark for tag in tags for mark in dialogue.cache["actions"].get(tag, ())[-MOST:]]
    for mark in sorted(marks, key=lambda mark: mark.first):
        exact = mark.tag == claim.value
        first, last = text.sentence(mark.first)
        if not exact and mark.tag == "send" and names_other_way(text, first, last, claim.value):
            continue
        if mark.tag == "send":
            exact = exact or claim.value in [m.tag for m in find_marks(text, "actions", first, last)]
        told = told_action(dialogue, mark, first, last, claim)
        if told == "refused":
            reason, no_at = "refused", mark.first
        if not told or told == "refused":
            continue
        rule, owner = told
        if named and dialogue.principal and named not in dialogue.principal and not {"she", "he"}.isdisjoint(
                text.words[max(first, mark.first - 4):mark.first]):
            reason = "wrong_owner"                          # "she'll give you a call" is no promise of Rafe's
            continue
        if named in dialogue.principal \
                and not {"him", "her", "them"}.isdisjoint(text.words[mark.first:mark.last + 1]):
            # "Could somebody call him?" of whom it is told to call
            reason = "wrong_owner"
            continue
        if owner == "callee" and named in dialogue.principal:
            reason = "wrong_owner"                          # "I'll ring him" of whom the agent calls for
            continue
        if claim.owner and (owner and owner != claim.owner or owner is None and text.words[mark.last] == "you"
                            and dialogue.speaker_at(mark.first) != claim.owner) \
                or owner and named in text.words[mark.first + 1:mark.last + 3]:
            reason = "wrong_owner"
            continue
        brought = claim.value == "deliver" and text.words[mark.first].startswith("br") \
            and "br" not in {word[:2] for word in claim.text.lower().split()}
        if (brought or not exact and mark.tag not in ("come", "do", "visit")) \
                and not shares_object(claim, text, first, last):
            continue                                        # "bring some ID" is no delivery of the rucksack
        rule = rule or (None if exact else "general_word")
        rank = (rule is not None, not exact, mark.first)
        if best is None or rank < best[0]:
            best = rank, mark, rule
    # "needs to bring her passport": "she needs her passport"
    if not best and claim.polarity == "ask":
        for first, last in (text.sentence(i) for name in sorted(claim.about - {"need"})
                            for i in dialogue.places.get(name, ())):
            if not NEEDED.isdisjoint(text.words[first:last]) or "?" in text.gaps[first] \
                    and not NEEDED.isdisjoint(text.words[slice(*text.sentence(max(first - 1, 0)))]):
                return evidence(dialogue, first, last, "general_word")
    if not best and claim.value == "pay" and claim.polarity == "ask":
        # "needs to pay a $10 fee": "There's a ten dollar fee"
        for mention in scan(Text(claim.text)):
            said = [n for key in mention.keys for n in dialogue.index.get(key, ())[-MOST:]
                    if n not in dialogue.fallen]
            if said and mention.unit in CURRENCY_CODES:
                fee = dialogue.mentions[said[0]]
                return evidence(dialogue, fee.first, fee.last, "general_word")
    if best and not (reason == "refused" and best[0][1] and best[1].first < no_at):     # one way was refused
        return evidence(dialogue, best[1].first, best[1].last, best[2])
    return Grade(UNSUPPORTED,
                 reason=reason or (None if find_marks(text, "actions") else "kind_absent_from_transcript"))


NEEDED = frozenset("need needs bring brings require required must have forget with".split())


def subject_of(claim):
    """The root of the noun that a promise is told of: "the clinic will call"; or None."""
    told = pattern(r"\b([a-z]{3,}) will\b").search(claim.text)
    return told and root(told[1])


def promiser(claim):
    """The name that a promise is told of ("Tilda will call …"), in lower case, or None."""
    told = pattern(r"\b([A-Z][a-z]{2,}) (?:will|is going|agreed|promised)\b").search(claim.text)
    return told and told[1].lower()


def shares_object(claim, text, first, last):
    """Does a sentence of the call name what the claimed action is about?
    A claim that names nothing shares it."""
    return not claim.about or not claim.about.isdisjoint(things(text.words[first:last]))


def names_other_way(text, first, last, claimed):
    """Does "send" here say by which other way ("send it by text" is no email)?"""
    ways = {mark.tag for mark in find_marks(text, "actions", first, last)
            if mark.tag in ("email", "mail", "text")}
    return bool(ways) and claimed in ("email", "mail", "text") and claimed not in ways


GIVES = frozenset("issued processed sent arranged given promised provided scheduled made receive get gets "
                  "receives promises".split())
PROMISES = frozenset("will ll ill hell shell theyll youll itll shall going gonna gotta let please "
                     "should can could need must want have ve has been "
                     "would d to wants needs".split())
RECEIVES = frozenset(
    "get receive receiving send sent sending way follow expect shoot getting drop give put gone went gets "
    "goes issued comes".split())


def told_action(dialogue, mark, first, last, claim):
    """(rule, owner) if an action's word is a promise, request or deed in the transcript, else None."""
    text, words, i = dialogue.text, dialogue.text.words, mark.first
    speaker = dialogue.turn_of(i).speaker
    other = "callee" if speaker == "agent" else "agent"
    start = clause_start(text, i, first)
    before, joined = words[start:i], False
    if not before and start > first and words[start - 1] in ("and", "then", "or"):
        before = words[clause_start(text, start - 1, first):start - 1]      # "I'll mark it up and send it"
        joined = not PROMISES.isdisjoint(before)
        before = before if joined else []
    said_no = [mark.last for mark in find_marks(text, "cues", start, i) if mark.tag == "no"
               and words[mark.first] == "not"]
    before = words[said_no[-1]:i] if said_no and not joined else before      # "not right now i'll ring you"
    if before[:1] and "no" in before and before[-1] in ("will", "ll", "ill"):
        start = clause_begin(before)
        before = before[start:]                             # "okay no assembly the driver will ring"
    if NEGATIONS.intersection(before) and not LIMITS.intersection(words[mark.last:mark.last + 3]):
        return None                                         # but "don't call before five" asks for a call
    noun = i > 0 and (words[i - 1] in DETERMINERS | {"confirmation", "e", "phone", "by", "receipt"}
                      or words[i - 1] in ("automatic", "automated", "reminder", "full")) \
        and mark.tag in ("email", "mail", "text", "refund")
    if mark.tag in ("email", "mail", "text", "call back") \
            and words[mark.last] in ("address", "number", "id", "center", "is"):
        sent = words[mark.last] == "address" \
            and {"going", "way", "sent", "sending", "goes"}.intersection(words[first:i])
        # "the confirmation is going to your email address"
        return (None, None) if sent else None
    if mark.tag == "call back" and mark.last == i + 1 and words[mark.last] in ("a", "an"):
        return None                                         # "can you help me call a cab?"
    if mark.tag == "call back" and words[i] in ("call", "calls") and i \
            and words[i - 1] in ("your", "the", "this", "for"):
        return None
    lead = next((n for n, word in enumerate(before) if word in ("will", "ll", "ill", "can", "could")), 0)
    if "before" in before[-3:] and before[-1] in ("can", "could"):
        return None                                         # "I have to ask before I can send any"
    if mark.tag == "refund" and noun and not {"would", "d", "could"}.isdisjoint(words[first:last]):
        return None                                         # "they'd send you a replacement or a refund"
    if not joined and claim.value not in ("ask", "check") and "asked to" not in claim.text \
            and not (before[-1:] == ["to"] and "ask" in before[lead:]) \
                and {"if", "whether", "ask", "see"}.intersection(before[lead:]) \
            and "when" not in before and "please" not in before:
        return None                                         # a promise to look into it
    if words[i] == "called" \
            and not {"i", "we", "ve", "have", "has", "be", "been", "just"}.intersection(before[-2:]):
        return None                                         # "a place called Aegena"
    asks = ask_of(text, first, last)
    if asks and "?" not in text.gaps[last] and not {"ill", "ll"}.isdisjoint(before):
        asks = None                                         # "okay ill check with him how late are you open"
    if asks == "open":                                      # "When can you deliver?" - "On Wednesday."
        timed = {"when", "time", "day", "soon", "who", "whos", "where"}.intersection(words[first:first + 4]) \
            and (MODALS.intersection(before) or words[i].endswith("ing"))
        said = reply_to(dialogue, i) if timed else None
        owner = other if "you" in before else speaker if {"i", "we"}.intersection(before) else None
        named = timed and words[first] in ("who", "whos", "where") and not no_first(dialogue, last)
        return ("acknowledged_offer", owner) if said == "+" or named else None
    scheduled = before and before[-1] not in DETERMINERS and (
        words[i].endswith("s") and not words[i].endswith("ss")
            and before[-1] not in ("to", "of", "more", "phone", "no")
        or words[i].endswith("ing") and before[-1] in ("s", "is", "re", "are", "m", "am"))
    cues = scheduled or mark.tag == "refund" and words[i][:2] == "go" or before[-1:] == ["well"] \
        or set(before) \
        & PROMISES or before[-1:] in (["we"], ["they"]) \
        or (noun and set(words[first:last]) & RECEIVES)
    # "on its way"
    past = words[i].endswith("ed") or words[i] in ("sent", "brought", "frozen") or words[i:i + 1] == ["on"]
    if past and before[-1:] == ["be"] and claim.polarity == "done":
        return None                                         # "they'll be mailed on Monday" is no mailing
    imperative = not joined and (i == start and words[i] != "by" or words[i - 1] in (
        "please", "and", "just", "to", "then", "or", "don't", "dont", "not"))
    if asks and noun and not cues:
        return None                                         # "Is the email on your application still right?"
    if asks and mark.tag == "come" and "when" in before:
        return None                                         # "Can you let her know when it arrives?"
    if asks:
        if any(words[k] == "or" and (words[k + 1] in MODALS or words[k + 1] in SUBJECTS)
               for k in range(mark.last, last)):
            return None                                     # "will you bring it, or shall we fetch it?"
        reply = reply_to(dialogue, i)
        owner = speaker if {"i", "we"} & set(before) else other if "you" in before else None
        if reply == "+":
            return "acknowledged_offer", owner
        if reply == "-" and mark.tag == claim.value:
            return "refused"
        request = {"can", "could", "would", "please", "will"}.intersection(before) and "you" in before \
            and reply != "-"
        return (None, other) if request else None
    if not cues and not past and not imperative:
        return None
    if past and mark.tag == "call back" and not cues:
        return None
    verb = next((k for k, word in enumerate(before) if word in MODALS or word in ("have", "ve")), len(before))
    subject = next((word for word in reversed(before[:verb])
                    if word in ("i", "ill", "we", "you", "he", "she", "they", "it")), None)
    owner = speaker if subject in ("i", "ill", "we") else other if subject == "you" or imperative \
        and not cues \
        or "please" in before else None
    if len(before) == 2 and before[0] in ("have", "tell", "ask", "get") \
            and before[1] in ("him", "her", "them"):
        owner = other                                       # "Have him call his insurer."
    if mark.tag in ("email", "text", "mail") and noun and subject == "you":
        owner = None
    if owner is None and speaker == "callee" and subject in ("he", "she") and dialogue.principal \
            and {"has", "needs", "must"}.intersection(before):
        owner = "agent"                                     # "She has to arrange a permit, we don't do that."
    if owner is None and before[:1] in (["the"], ["our"]) and before[-1:] in (["will"], ["ll"]):
        # "The technician will call" promises for one's own side
        owner = speaker
    if "let me" in " ".join(before):
        subject, owner = "i", speaker
    if claim.polarity == "done" and not past and (subject not in ("i", "ill", "we") and not imperative
                                                  or {"would", "d", "could", "might",
                                                      "ask"}.intersection(before)):
        return None                                         # "it'll ship on Wednesday" is no shipment
    return None, owner


def no_first(dialogue, i):
    """Does the speech that begins at word i say no first, or is there none?"""
    return i >= dialogue.text.size or not NEGATIONS.isdisjoint(dialogue.text.words[i:i + 2])


def clause_begin(before):
    """Where the subject of a promise begins behind another clause's "no", in the words before its verb."""
    last = max(n for n, word in enumerate(before) if word == "no")
    return next((n for n in range(last + 2, len(before)) if before[n] in SUBJECTS), 0)


def reply_to(dialogue, i):
    """The sign of the answer that the other side's next utterance gives: "+", "-" or None."""
    for number in [bisect_right(dialogue.utterance_firsts, i) - 1]:
        if number >= 0:
            after = dialogue.utterances[number + 1:number + 2]
            if not after or after[0].recorded:
                return None
            if dialogue.text.words[after[0].first:after[0].first + 3] == ["as", "long", "as"]:
                # "Can somebody else collect it?" - "As long as they've …"
                return "+"
            signs = ["-" if mark.tag in ("no", "refuse") else "+" for mark in find_marks(
                dialogue.text, "cues", after[0].first, min(after[0].last, after[0].first + 30))
                if mark.tag in ("yes", "ok", "assent", "no", "refuse")]
            first, last = dialogue.text.sentence(i)     # "picked up at ten?" - "We open at 11 on Sundays."
            replies = dialogue.mentions_in(after[0].first, after[0].last, 40)
            other = any(same_slot(old, new) for old in dialogue.mentions_in(first, last) for new in replies) \
                or "when" in dialogue.text.words[first:first + 4] \
                and any(new.kind == DATE_TIME for new in replies)
            return signs[0] if signs else "+" if other else None
    return None


def anchor_claims(claims, turns, call_date=None, day_first=False, facts=None):
    """Find for each claim where in the turns it was said;
    a list of Grade, one for each claim, in their order.

    turns are {"speaker", "text"} objects or Turn records, call_date a datetime.date or a tuple of possible
    ones, facts what the record's fields say ({"voicemail": "status=VOICEMAIL"}). Source: design sections 5-7.

    >>> claims = decompose_claims("Booked for 4 at 3 PM.")
    >>> turns = [{"speaker": "agent", "text": "Four people at two?"},
    ...          {"speaker": "callee", "text": "Yes, booked."}]
    >>> [(claim.value, grade.grade) for claim, grade in zip(claims, anchor_claims(claims, turns))]
    [('book', 'SUPPORTED'), ('4', 'SUPPORTED'), ('15:00', 'UNSUPPORTED')]
    """
    return grade_claims(claims, Dialogue(read_turns(turns), dates_of(call_date), day_first, facts))


def read_turns(turns):
    """Turn records of {"speaker", "text"} objects; what is no object or holds no text is passed over."""
    if isinstance(turns, str):
        return read_text(turns, "turns")
    read = []
    for index, turn in enumerate(turns if isinstance(turns, (list, tuple)) else ()):
        if isinstance(turn, dict):
            label = item_label(turn)
            text = next((turn[key] for key in TEXT_KEYS if isinstance(turn.get(key), str)), None)
            turn = Turn(index, role_of(label) or "other", label, text)
        if isinstance(turn, Turn) and isinstance(turn.text, str) and turn.text and turn.speaker != "drop":
            read.append(turn)
    return read


def grade_claims(claims, dialogue):
    """A Grade for each claim."""
    grades, dialogue.wanted = [], {key for claim in claims for key in (
        *(claim.mention.keys if claim.mention else ()), *(claim.beside or ()))}
    booked = {claim.text for claim in claims
              if claim.kind == OUTCOME and claim.polarity == "+" and claim.value in POSITIVE}
    for claim in claims:
        if claim.kind in (SPELLED, MASKED, OPINION):
            grades.append(Grade(None))
        elif not dialogue.turns and not dialogue.facts:
            grades.append(Grade(UNSUPPORTED, reason="kind_absent_from_transcript"))
        elif claim.kind == OUTCOME:
            grades.append(grade_outcome(claim, dialogue, claims))
        elif claim.kind == ACTION:
            grades.append(grade_action(claim, dialogue))
        else:
            n = len(grades)
            grade = grade_value(claim, dialogue)
            if grade.grade == SUPPORTED and claim.kind == DATE_TIME and not claim.told_of \
                    and (claim.text in booked or not booked) and left_behind(
                        claim, dialogue, 1 if claim.text in booked else 2):
                grade = Grade(UNSUPPORTED, grade.turn_index, reason="superseded")
            if grade.grade == SUPPORTED and claim.about \
                    and swapped(claim, claims[max(n - 8, 0):n + 9], dialogue):
                grade = Grade(UNSUPPORTED, grade.turn_index, reason="said_of_something_else")
            grades.append(grade)
    return grades


# ----------------------------------------------------------------------------------------------- card


def analyze(turns, summary, call_id=None, strict=False, call_date=None, day_first=False, language=None,
            facts=None, warnings=()):
    """Audit one summary against one conversation; the card of design section 8 as a dict.

    turns are {"speaker", "text"} objects (speaker: any platform's label), Turn records, or a transcript as
    one text; summary is text or None. Raises nothing on any text.

    >>> card = analyze([{"speaker": "callee", "text": "Yes, four is right."}], "The guest confirmed 4.")
    >>> card["verdict"], card["counts"]["supported"]
    ('FAITHFUL', 2)
    """
    call = Call(call_id, summary, read_turns(turns), dates_of(call_date), day_first, language, facts or {},
                tuple(warnings), ())
    return card_of(audit_call(call, strict))


# all that a card and a page are made of
Audit = namedtuple("Audit", "call summary dialogue claims grades strict recipients")


def audit_task(call, strict=False):
    """The Audit of a Call; where it has several recipients, with theirs."""
    audit = audit_call(call, strict)
    return audit._replace(recipients=[audit_call(one, strict) for one in call.recipients])


def speaks_english(text):
    """Is a text in the language that is read? Too little text passes;
    else one word in eight must be a common one."""
    words = text.words[:min(text.size, 2000)]
    spelled = sum(map(":".__lt__, words))                   # no number in digits
    return spelled < 8 or 8 * sum(map(ENGLISH_WORDS.__contains__, words)) >= spelled


def audit_call(call, strict=False):
    """Run the stages on one Call."""
    text = Text(mask_pii(call.summary or ""), call.dates, call.day_first)
    claims = claims_of(text) if call.summary and call.summary.strip() else []
    firsts = list(accumulate([0] + [len(one.turns) for one in call.recipients]))
    dialogue = Dialogue(call.turns, call.dates, call.day_first, call.facts, firsts)
    readable = any(claim.kind in (OUTCOME, ACTION) for claim in claims)
    foreign = not speaks_english(dialogue.text) or not readable and not speaks_english(text) or \
        call.language and not call.language.startswith("en")
    grades = grade_claims(claims, dialogue)
    if call.recipients:
        grades = grade_recipients(call, claims, grades, firsts)
    if foreign:
        kinds = {mention.kind for mention in dialogue.mentions}
        grades = [Grade(None, reason="language_not_supported") if grade.grade not in (None, SUPPORTED) and (
            claim.kind not in kinds) else grade for claim, grade in zip(claims, grades)]
        call = call._replace(warnings=tuple(call.warnings) + ("language_not_supported",))
    if strict:
        grades = [grade._replace(grade=UNSUPPORTED, reason="strict")
                  if grade.rule and grade.grade == SUPPORTED else grade
                  for grade in grades]
    return Audit(call, text.raw, dialogue, claims, grades, strict, ())


EVERYONE = frozenset("both all every each everyone everybody".split())


def grade_recipients(call, claims, grades, firsts):
    """The grades of a task's summary over several calls:
    an outcome is one recipient's, or all of theirs if it says so.

    A count of recipients is anchored by the record.
    """
    dialogues = [Dialogue([turn for turn in call.turns if first <= turn.index < last], call.dates,
                          call.day_first, one.facts)
                 for one, first, last in zip(call.recipients, firsts, firsts[1:])]
    graded, reached = [], {}                # sentence: of how many recipients its outcomes are true
    for claim, grade in zip(claims, grades):
        if claim.kind == OUTCOME:
            everyone = EVERYONE.intersection(Text(claim.text).words)
            each = sorted((grade_outcome(claim, dialogue, claims)
                           for dialogue in dialogues if dialogue.turns or dialogue.facts),
                          key=lambda one: (SUPPORTED, CONTRADICTED, UNSUPPORTED).index(one.grade))
            grade = each[-1 if everyone else 0] if each else grade
            reached.setdefault(claim.text, set()).add(sum(one.grade == SUPPORTED for one in each))
        graded.append(grade)
    for n, claim in enumerate(claims):
        if claim.kind == NUMERIC and claim.mention.unit in (None, "person", THING) \
                and claim.value.isdecimal() and int(claim.value) <= len(dialogues):
            told = Text(claim.text.lower())
            of = any(told.words[m.last] == "of" and m.value == claim.value for m in scan(told))
            if of and claim.text in reached and int(claim.value) not in reached[claim.text]:
                graded[n] = Grade(UNSUPPORTED)              # "two of three agreed", and only one did
            elif graded[n].grade == UNSUPPORTED:
                graded[n] = Grade(SUPPORTED, None, "record_field", f"{len(dialogues)} recipients")
    return graded


RANKS = (CONTRADICTED_CLAIMS, UNSUPPORTED_CLAIMS, FAITHFUL, NO_CHECKABLE_CLAIMS)         # the worst first


def card_of(audit):
    """The card of an Audit, its keys in their order."""
    call, claims, grades = audit.call, audit.claims, audit.grades
    checkable = [(claim, grade) for claim, grade in zip(claims, grades) if grade.grade]
    counts = {"checkable": len(checkable)}
    for grade in (SUPPORTED, UNSUPPORTED, CONTRADICTED):
        counts[grade.lower()] = sum(one.grade == grade for _, one in checkable)
    missing = not (call.summary and call.summary.strip())
    verdict = CONTRADICTED_CLAIMS if counts["contradicted"] else UNSUPPORTED_CLAIMS if counts["unsupported"] \
        else FAITHFUL if checkable else NO_CHECKABLE_CLAIMS
    card = {"call_id": call.call_id, "verdict": verdict}
    if verdict == NO_CHECKABLE_CLAIMS:
        card["reason"] = "summary_missing" if missing else "opinion_only"
    score = 0.0 if missing or not audit.dialogue.turns else counts["supported"] / len(checkable) \
        if checkable else 1.0
    score = int(score * 100 + .5) / 100
    card.update(score=score, label="pass" if score >= .5 else "fail",
                reasoning=reasoning_of(checkable, counts),
                strict=audit.strict, claims=[claim_row(claim, grade) for claim, grade in zip(claims, grades)],
                counts=counts, coverage_gaps=gaps_of(audit), warnings=list(call.warnings))
    if audit.recipients:
        card["recipients"] = [card_of(one) for one in audit.recipients]
        worst = min([verdict] + [one["verdict"] for one in card["recipients"]], key=RANKS.index)
        if worst != verdict:
            card["verdict"] = worst
            card.pop("reason", None)
            at = [str(n) for n, one in enumerate(card["recipients"], 1) if one["verdict"] == worst]
            card["reasoning"] += f"; see recipient {', '.join(at)} of {len(card['recipients'])}"
    card["disclaimer"] = DISCLAIMER
    return card


def reasoning_of(checkable, counts):
    """One line of counts and of what was not verified."""
    if not checkable:
        return "no checkable claims"
    bad = [f"{claim.kind} {grouped(claim.value)}" + (f" ({grade.reason})" if grade.reason else "")
           for claim, grade in checkable if grade.grade != SUPPORTED]
    line = f"{counts['supported']} of {counts['checkable']} claims verified"
    return line + ("; unverified: " + ", ".join(bad) if bad else "")


def grouped(value):
    """A value as the card shows it: a million and more in threes,
    so that no card holds seven digits in a row.

    >>> grouped("1250000.50"), grouped("1200"), grouped("oct 14")
    ('1,250,000.50', '1200', 'oct 14')
    """
    whole, dot, cents = (value or "").partition(".")
    return f"{int(whole):,}{dot}{cents}" if len(whole) > 6 and whole.isdecimal() else value


def claim_row(claim, grade):
    """A claim of the card."""
    kind = MASKED if grade.reason == "masked" else claim.kind
    row = {"text": claim.text, "kind": kind, "value": grouped(claim.value), "grade": grade.grade,
           "turn_index": grade.turn_index, "span": claim.span}
    if grade.grade == SUPPORTED or grade.reason == "strict":
        row["match"] = "inexact" if grade.rule else "literal"
    for key in ("rule", "speaker", "quote", "contradicted_by_turn", "reason"):
        if getattr(grade, key) is not None:
            row[key] = getattr(grade, key)
    return row


def gaps_of(audit):
    """What the call reached and the summary does not name: "outcome", "opt-out"."""
    events, stems = audit.dialogue.events, {claim.value for claim in audit.claims if claim.kind == OUTCOME}
    gaps = []
    if not stems and any(event.sign in "+-" for event in events):
        gaps.append("outcome")
    if any("opt-out" in event.stems for event in events) and "opt-out" not in stems:
        gaps.append("opt-out")
    return gaps


# --------------------------------------------------------------------------------------------- render

GRADE_WORDS = {             # gravest first; a tone is a colour of the style
    "CONTRADICTED": {"tone": "contradicted", "sign": "✗", "lead": "Contradicted in"},
    "UNSUPPORTED": {"tone": "unsupported", "sign": "?", "lead": "Compare"},
    "SUPPORTED": {"tone": "supported", "sign": "✓", "lead": "Said in"},
    None: {"tone": "unchecked", "sign": "–", "lead": "See"},
}
VERDICT_WORDS = {           # gravest first; None stands for a record that could not be read
    None: {"tone": "contradicted", "sign": "!", "short": "Could not be read"},
    "CONTRADICTED_CLAIMS": {
        "tone": "contradicted", "sign": "✗", "short": "Contradicted",
        "headline": "Contradicted: the call says otherwise",
        "todo": "Stop: read the contradicting turn, and correct the summary before anything acts on it."},
    "UNSUPPORTED_CLAIMS": {
        "tone": "unsupported", "sign": "?", "short": "Unsupported",
        "headline": "Unsupported: not every claim was said",
        "todo": "Wait: check the unverified claims before anything acts on this summary."},
    "NO_CHECKABLE_CLAIMS": {
        "tone": "unchecked", "sign": "–", "short": "Nothing to check",
        "headline": "Nothing to check in this summary",
        "todo": "Look yourself: read the conversation before anything acts on this summary."},
    "FAITHFUL": {
        "tone": "supported", "sign": "✓", "short": "Faithful",
        "headline": "Faithful: every checkable claim was said in the call",
        "todo": "Nothing found here speaks against acting on this summary."},
}
PLAIN_WORDS = {             # what a card holds: what a reviewer reads
    "date_time": "date or time", "numeric": "number", "non_checkable_masked": "masked number",
    "non_checkable_opinion": "opinion", "non_checkable_spelled": "spelled number",
    # why a claim is not verified; {kind} is the claim's kind
    "CONTRADICTED": "The call says the opposite.",
    "UNSUPPORTED": "No such {kind} comes up in the call.",
    "SUPPORTED": "",
    "kind_absent_from_transcript": "No {kind} at all comes up in the call.",
    "superseded": "It was said, but later refused or corrected.",
    "hedged": "The callee only hedged (“maybe”, “let me check”) and never said it firmly.",
    "only_agent_said": "Only the agent said it; the callee did not agree to it.",
    "recorded_voice": "A recorded voice answered, not a person.",
    "strict": "There is only an inexact match, and strict mode accepts none.",
    "wrong_owner": "In the call, someone else is to do it.",
    "said_of_something_else": "The call says it of something else.",
    "never_mentioned": "What was confirmed never comes up in the call.",
    "refused": "In the call it was turned down.",
    "wrong_party": "The call reached somebody else.",
    "only_promised": "In the call it was only promised.",
    "masked": "It is masked in the call: it cannot be compared.",
    # how an inexact match was made
    "answered_question": "the agent asked, the callee said yes",
    "late_acknowledgement": "the callee said yes late in the call",
    "acknowledged_offer": "an offer or request that was acknowledged",
    "unit_conversion": "the same amount in another unit",
    "ambiguous_reading": "one of several readings of what was said",
    "call_date": "worked out from the date of the call",
    "general_word": "a more general word for the same action",
    "negated_outcome": "the call shows that it did not come to this",
    "record_field": "taken from the record, not from speech",
    # about the whole call
    "summary_missing": "The record holds no summary.",
    "transcript_missing": "The record holds no transcript.",
    "opinion_only": "The summary holds opinions only.",
    "language_not_supported": "Not in English: only digits, clock times and numeric dates were read.",
    "outcome_gap": "The call reached an outcome that the summary does not name.",
    "opt-out_gap": "The callee wants no more calls, and the summary does not say so.",
    "call_not_ended": "The call had not ended when this was recorded.",
    "outcome_not_read": "The summary states an outcome word that is not known here.",
    "speakers_unknown": "No rule tells which speaker is the agent.",
    "strict_mode": "Strict mode: inexact matches do not count.",
    "UNDECIDED": "The call neither bears it out nor speaks against it.",
    "undecided": "Nothing that the summary says could be decided.",
    "no_summary_given": "The summary says that there is nothing to summarise.",
    "not_said": "No such {kind} comes up in the call.",
    "failed": "In the call it was tried and did not work.",
    "loose_reading": "read loosely, as a speech recogniser may have written it",
    "sounds_like": "a name that sounds or looks much like it",
}


UNSHOWABLE = (              # control characters, bidi controls, lone surrogates
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
MARKS = {SUPPORTED: "+", UNSUPPORTED: "?", CONTRADICTED: "!", None: "-"}
COLOURS = {"supported": "32", "unsupported": "33", "contradicted": "31", "unchecked": "2"}


def visible(text):
    """A record's text for a terminal or a page: what could disturb it is shown as U+FFFD.

    >>> visible("a\\x1b[31mb\\u202ec")
    'a\ufffd[31mb\ufffdc'
    """
    return pattern(UNSHOWABLE).sub("\ufffd", text.replace("\r\n", "\n"))


FAIL_ON = "unsupported contradicted no-claims warnings opt-out".split()      # what --fail-on names by default
FAIL_ON_TOO = "undecided gaps none".split()
GATED_WARNINGS = frozenset(
    "call_not_ended language_not_supported transcript_missing outcome_not_read speakers_unknown".split())

# why a card fails: the word of --fail-on, the card's own code (None for a claim), and a sentence
Reason = namedtuple("Reason", "group code words")


def fails(card, fail_on=FAIL_ON, inner=False):
    """Why a card passes no gate, as Reasons, its recipients' behind its own; an empty list if it passes.

    A recipient's card (`inner`) need not have anything to check; without a summary of its own, as of a person
    who was not reached, it fails only while the call is running.
    """
    rows = [*card.get("claims", ()), *card.get("fields", ())]
    found = [Reason(row["grade"].lower(), None, words_of_claim(row)) for row in rows
             if row["grade"] not in (None, SUPPORTED) and not row.get("accepted")]
    codes = [("no-claims", card.get("reason", ""), "")]
    if inner or card["verdict"] != NO_CHECKABLE_CLAIMS:
        codes = []
    codes += [("warnings", code, "") for code in card.get("warnings", ()) if code in GATED_WARNINGS]
    codes += [("opt-out" if gap in fail_on else "gaps", gap, "_gap") for gap in card.get("coverage_gaps", ())]
    found += [Reason(group, code, plain_words(code + more)) for group, code, more in codes]
    silent = inner and card.get("reason") == "summary_missing"
    found = [reason for reason in found if reason.group in fail_on
             and (not silent or reason.code == "call_not_ended")]
    for number, one in enumerate(card.get("recipients", ()), 1):
        found += [reason._replace(words=f"Recipient {number}: {reason.words}")
                  for reason in fails(one, fail_on, True)]
    return found


def words_of_claim(row):
    """Which claim of a card it is, and why it is flagged or undecided."""
    kind = plain_words(row["kind"])
    why = row.get("why") or plain_words(row.get("reason") or row["grade"], kind)
    return f"{kind} {row['value']}: {why}"


def headline_of(card, fail_on=FAIL_ON, inner=False):
    """(whether a card fails, the tone to say it in, what to do): the same answer as the exit code's."""
    words, reasons = VERDICT_WORDS[card["verdict"]], fails(card, fail_on, inner)
    if reasons and card["verdict"] == FAITHFUL:
        return True, "unsupported", "Wait: " + " ".join(reason.words for reason in reasons)
    if not reasons and card["verdict"] != FAITHFUL:
        return False, "unchecked", "Holds nothing up: what was found is accepted, or is none of --fail-on."
    return bool(reasons), words["tone"], words["todo"]


def render_text(card, colour=False, width=100, fail_on=FAIL_ON, inner=False):
    """A card for a person at a terminal: whether it passes, the verdict, what to do,
    and each claim with its mark, turn and quote."""
    import textwrap

    def paint(tone, text):
        return f"\x1b[{COLOURS[tone]}m{text}\x1b[0m" if colour else text

    def wrapped(text, indent):
        return textwrap.fill(visible(" ".join(text.split())), width, initial_indent=indent,
                             subsequent_indent=" " * len(indent))

    failing, tone, todo = headline_of(card, fail_on, inner)
    name = visible(" ".join(str(card.get("source") or card["call_id"] or "").split()))
    facts = ["FAILS" if failing else "PASSES", card["verdict"], f"{card['score']:.2f}", name,
             card.get("reason")]
    lines = [paint(tone, "  ".join(filter(None, facts))), wrapped(todo, "  ")]
    for claim in card["claims"]:
        tone = GRADE_WORDS[claim["grade"]]["tone"]
        value = " ".join(filter(None, [plain_words(claim["kind"]), claim["value"]]))
        where = f"turn {claim['turn_index']}" if claim["turn_index"] is not None else ""
        why = ", ".join(filter(None, [where, claim.get("rule"), claim.get("reason"),
                                      claim.get("accepted") and "accepted"]))
        lines.append(paint(tone, f"  [{MARKS[claim['grade']]}] {visible(value)}")
                     + (f"  ({why})" if why else ""))
        lines.append(wrapped(claim["text"], "      says: "))
        if claim.get("quote"):
            lines.append(wrapped(f"{claim.get('speaker') or 'record'}: {claim['quote']}", "      call: "))
    for title, key, more in (("gap", "coverage_gaps", "_gap"), ("warning", "warnings", "")):
        lines += [wrapped(f"{code}: {plain_words(code + more)}", f"  {title} ") for code in card[key]]
    for number, one in enumerate(card.get("recipients", ()), 1):
        inside = render_text(one, colour, width - 2, fail_on, True)
        lines += ["", f"  recipient {number}", *("  " + line for line in inside.split("\n")[:-1])]
    return "\n".join(lines) + "\n"


def problems_of(row, fail_on):
    """The Reasons why a row of the output fails: the one of an error, or a card's."""
    return [Reason("unreadable", None, row["error"])] if "error" in row else fails(row, fail_on)


def render_case(row, fail_on):
    """A card, or the row of a record that could not be read, as a JUnit test case."""
    problems, source = problems_of(row, fail_on), source_name(row["source"])
    name = row.get("call_id") or (f"line {row['line']}" if "line" in row else source)
    case = f'  <testcase classname="{xml_text(source)}" name="{xml_text(name)}"'
    if not problems:
        return case + "/>\n"
    tag, words = "error" if "error" in row else "failure", [reason.words for reason in problems]
    return (f'{case}>\n    <{tag} type="{problems[0].group}" message="{xml_text(words[0])}">'
            f'{xml_text(chr(10).join(words))}</{tag}>\n  </testcase>\n')


def xml_text(text):
    """A text for an element or an attribute of an XML file."""
    return pattern("[\ufffe\uffff]").sub("\ufffd", escape_text(text))


def render_suite(cases):
    """A JUnit report of test cases."""
    counts = [sum(f"    <{tag} " in case for case in cases) for tag in ("failure", "error")]
    return "".join([
        '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n',
        f'<testsuite name="call summaries" tests="{len(cases)}" ',
        f'failures="{counts[0]}" errors="{counts[1]}">\n', *cases, "</testsuite>\n</testsuites>\n"])


def render_annotation(row, fail_on):
    """A row of the output that fails as an annotation of a GitHub workflow; nothing for one that passes.

    >>> render_annotation({"source": "a,b.jsonl", "line": 3, "error": "not JSON in line 3"}, ())
    '::error file=a%2Cb.jsonl,line=3,title=unreadable::not JSON in line 3\\n'
    """
    problems = problems_of(row, fail_on)
    if not problems:
        return ""
    place = {"file": row["source"] if row["source"] != "-" else None, "line": row.get("line"),
             "title": ", ".join(dict.fromkeys(reason.group for reason in problems))}
    said = ",".join(f"{key}={escape_annotation(value, ':,')}" for key, value in place.items() if value)
    words = [row["call_id"]] if row.get("call_id") else []
    words += [reason.words for reason in problems]
    return f"::error {said}::{escape_annotation(chr(10).join(words))}\n"


def escape_annotation(text, more=""):
    """A text for a workflow command, in which line ends and some signs have a meaning."""
    text = visible(str(text))
    for sign in "%\r\n" + more:
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


# --------------------------------------------------------------------------------------- render: html

PAGE_START = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body class="{size}">
<main>
"""
PAGE_END = """\
</main>
</body>
</html>
"""
PAGE_INDEX = """\
<section id="index" aria-labelledby="index-title">
<h1 id="index-title">{title}</h1>
<ul class="tally">
{tally}</ul>
<nav aria-label="Calls, the gravest first">
<ol class="rows">
{rows}</ol>
</nav>
</section>
"""
PAGE_TALLY = """\
<li class="{tone}"><span class="sign" aria-hidden="true">{sign}</span>
<span>{short}</span> <b>{count}</b> {bar}</li>
"""
PAGE_ROW = """\
<li class="row {tone} {depth}"><span class="sign" aria-hidden="true">{sign}</span>
<p>{link} <b>{short}</b> <span class="soft">{gist}</span></p> {bar}</li>
"""
PAGE_LINK = """<a href="#{to}">{text}</a>"""
PAGE_BAR = """<svg class="bar" aria-hidden="true">{parts}</svg>"""
PAGE_BAR_PART = """<rect class="{tone}" x="{start}%" width="{width}%" height="100%"/>"""
PAGE_CARD = """
<article class="card {tone}" id="{home}" aria-labelledby="{home}-title">
<nav class="walk" aria-label="{place}">{walk}
<a class="jump" href="#{home}-claims">Claims</a> <a class="jump" href="#{home}-talk">Conversation</a></nav>
<header>
<span class="sign" aria-hidden="true">{sign}</span>
<div>
<h{top} id="{home}-title">{headline}</h{top}>
<p class="todo">{todo}</p>
{notes}</div>
<dl>
<dt>Score</dt> <dd><b>{score}</b> {bar}</dd>
<dt>Claims</dt> <dd>{gist}</dd>
<dt>Call</dt> <dd><bdi>{name}</bdi></dd>
</dl>
</header>
<div class="panes">
<div class="pane">
<section aria-labelledby="{home}-summary">
<h{mid} id="{home}-summary">Summary</h{mid}>
<p class="text" dir="auto">{summary}</p>
</section>
<section aria-labelledby="{home}-claims">
<h{mid} id="{home}-claims">Claims</h{mid}>
<div class="list">{claims}</div>
</section>
<footer class="soft">{disclaimer}</footer>
</div>
<section class="pane" aria-labelledby="{home}-talk" tabindex="0">
<h{mid} id="{home}-talk">Conversation</h{mid}>
<ol class="list">{talk}</ol>
</section>
</div>
</article>
"""
PAGE_NOTE = """\
<p class="note"><b>Note</b> {note}</p>
"""
PAGE_GROUP = """\
<h{low} class="group">{tone} <span class="soft">{count}</span></h{low}>
<ol>
{rows}</ol>
"""
PAGE_CLAIM = """\
<li class="claim {tone}" id="{own}">
<p>{tag} <strong dir="auto">{surface}</strong> <span class="soft">{what}</span></p>
<p class="why">{why}</p>
{proof}
</li>
"""
PAGE_PROOF = """<p>{lead} <a href="#{to}">turn {index}</a>, {speaker}: <q dir="auto">{quote}</q></p>"""
PAGE_FIELD = """<p>In the record: <q>{quote}</q></p>"""
PAGE_TURN = """\
<li class="turn {speaker}" id="{own}">
<p class="who"><b>{speaker}</b> <span class="soft">{label} turn {index}</span>{against}</p>
<p class="text" dir="auto">{text}</p>
</li>
"""
PAGE_AGAINST = """ <b class="against contradicted">✗ contradicts the summary</b>"""
PAGE_TAG = (                # white space inside a text would show
    """<a{mark} class="spot {tone}" href="#{to}">{text}"""
    """<span class="tag" aria-hidden="true">{sign}\xa0{number}</span>"""
    """<span class="unseen"> (claim {number}, {tone})</span></a>"""
)
PAGE_STYLE = """
:root { color-scheme: light dark;
  --page: #f3f5f7; --card: #fff; --text: #1b1f24; --soft: #545d68; --line: #d3d9e0; --link: #0a53be;
  --agent: #e4edfb; --bad: #b0201a; --bad-back: #fde9e7; --doubt: #824600; --doubt-back: #fff0d6;
  --fine: #17652f; --fine-back: #e2f3e7; --none: #545d68; --none-back: #eaedf0 }


@media screen and (prefers-color-scheme: dark) { :root {
  --page: #111417; --card: #1a1e22; --text: #e4e7ea; --soft: #a2abb5; --line: #3a424b; --link: #8ab4f8;
  --agent: #1d2c44; --bad: #ff9d94; --bad-back: #43201e; --doubt: #f2b866; --doubt-back: #3b2b12;
  --fine: #82d99b; --fine-back: #17331f; --none: #a2abb5; --none-back: #2a3037 } }
.contradicted { --tone: var(--bad); --back: var(--bad-back) }
.unsupported { --tone: var(--doubt); --back: var(--doubt-back) }
.supported { --tone: var(--fine); --back: var(--fine-back) }
.unchecked { --tone: var(--none); --back: var(--none-back) }
* { box-sizing: border-box }
html { font: 100%/1.5 system-ui, sans-serif; background: var(--page); color: var(--text) }
body, h1, h2, h3, h4, p, ul, ol, dl, dd { margin: 0; padding: 0 }
body { overflow-wrap: anywhere }
ul, ol { list-style: none }
a { color: var(--link) }
a:focus-visible, .pane:focus-visible { outline: .2rem solid var(--link); outline-offset: .1rem }
.soft { color: var(--soft); font-size: .875rem }
.text { white-space: pre-wrap }
.tag, .unseen { user-select: none }
:is(.text, .list):empty::before { content: "(nothing)"; color: var(--soft) }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap }
.sign { flex: none; width: 1.5em; height: 1.5em; border-radius: 50%; background: var(--tone);
  color: var(--card); font-weight: 700; line-height: 1.5; text-align: center }
.bar { width: 8rem; height: .6rem; border-radius: .3rem; background: var(--line); vertical-align: baseline }
rect { fill: var(--tone) }

#index { max-width: 60rem; margin: auto; padding: 1rem }
#index h1 { font-size: 1.5rem }
.tally { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; margin: 1rem 0 }
.tally li, .row { display: flex; align-items: center; gap: .25rem .75rem }
.tally span + span { flex: 0 0 9.5rem }
.tally b { flex: 0 0 2rem; text-align: right }
.tally .bar { flex: 0 1 12rem; min-width: 0 }
.rows { background: var(--card); border: 1px solid var(--line); border-radius: .5rem }
.row { flex-wrap: wrap; padding: .5rem .75rem; border-top: 1px solid var(--line) }
.row .bar { margin-left: 2.25rem }
.row:first-child { border: 0 }
.row p { flex: 1 1 14rem }
.row.recipient { padding-left: 3rem }

.card { background: var(--page); max-width: 96rem; margin: auto; padding: 0 1rem 1rem }
.walk { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .5rem 0; font-size: .875rem }
.card > header { display: flex; flex-wrap: wrap; gap: .75rem 1rem; padding: 1rem; background: var(--back);
  border-left: .5rem solid var(--tone); border-radius: .5rem }
header > .sign { font-size: 1.75rem }
header > div { flex: 1 1 12rem }
header :is(h1, h2) { font-size: 1.3125rem; line-height: 1.3; color: var(--tone) }
.todo { font-weight: 600 }
.note, dl { font-size: .9375rem }
.note b { color: var(--tone) }
dl { flex: 0 1 22rem; display: grid; grid-template-columns: auto 1fr; gap: .125rem .75rem;
  align-content: start }
dt { color: var(--soft) }
.panes > * { min-width: 0 }
.pane { position: relative; padding-top: 1rem }
.pane :is(h2, h3) { font-size: 1.0625rem }
.pane section + section { margin-top: 1.25rem }
.pane .group { margin-top: .75rem; font-size: .9375rem }
.pane footer { margin-top: 1.25rem }
.spot { color: inherit; text-decoration: none; border-bottom: .125rem solid var(--tone);
  background: var(--back) }
.tag { margin-left: .2em; padding: .1em .4em; border-radius: .75em; background: var(--tone);
  color: var(--card); font-size: .8125em; font-weight: 700; white-space: nowrap }
.claim, .turn { margin-top: .5rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--card); scroll-margin: 1rem }
.claim { border-left: .25rem solid var(--tone) }
.spot.unchecked { border-bottom-style: dotted; background: none }
.claim .spot { border: 0; background: none }
.group::first-letter { text-transform: uppercase }
.why:empty { display: none }
.claim .tag { margin: 0 }
.claim p + p { font-size: .9375rem }
.turn { width: fit-content; max-width: 88% }
.turn.agent { margin-left: auto; background: var(--agent) }
.turn:has(.against) { border-color: var(--bad) }
.who b:first-child { text-transform: capitalize }
.against { display: inline-block; color: var(--tone); font-size: .875rem }
.turn.other { margin-inline: auto; border-style: dashed }
.claim:target, .turn:target { outline: .2rem solid var(--link); outline-offset: .1rem }
.spot:target { outline: .15rem solid var(--link) }


@media screen {
  .many .card:not(:target):not(:has(:target)), .many:has(.card:target, .card :target) #index { display: none }
}


@media screen and (min-width: 60rem) and (min-height: 36rem) {
  .card { display: flex; flex-direction: column; height: 100vh; padding-bottom: 0 }
  .one .card { padding-top: 1rem }
  .jump, .one .walk { display: none }
  .card > header { max-height: 45vh; overflow: auto }
  .panes { flex: 1; min-height: 0; display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem }
  .pane { overflow: auto; padding: 1rem .25rem }
}


@media (prefers-reduced-motion: no-preference) {
  html, .pane { scroll-behavior: smooth }
}


@media print {
  html { font-size: 80%; background: #fff }
  .sign, .tag { border: .1em solid; background: none; color: var(--tone) }
  .many .card { break-before: page }
  .claim, .turn, .row { break-inside: avoid }
  .walk a { display: none }
  .many .walk::before { content: attr(aria-label) }
  .row a::after { content: " (" attr(href) ")" }
}
"""


class Html(str):
    """Text that is markup already."""


class Fields(dict):
    """What fills a template: escaped, unless it is markup."""

    def __getitem__(self, name):
        value = dict.__getitem__(self, name)
        return value if isinstance(value, Html) else escape_text(value)


def escape_text(text):
    """Text of a record as markup: escaped, and what could disturb the page shown as U+FFFD."""
    text = str(text)
    if pattern(UNSHOWABLE[:-1] + "<>&\"']").search(text):     # seldom: most fields are a word or a number
        import html
        text = html.escape(visible(text))
    return text


def fill(template, fields=(), **more):
    """A template with its fields filled in."""
    return Html(template.format_map(Fields(fields, **more)))


def join_markup(pieces):
    """Pieces of markup as one."""
    return Html("".join(pieces))


def render_html(entries):
    """Yield the page for one call or many, in pieces.

    An entry is (card, masked summary, masked turns) and, for several recipients, the list of their entries.
    A row {"source", "error"} may stand in a card's place.
    """
    from base64 import b64encode
    from hashlib import sha256
    gravity = list(VERDICT_WORDS).index
    entries = sorted(entries, key=lambda entry: gravity(entry[0].get("verdict")))
    pages = [page for entry in entries for page in list_pages(*entry)]
    many = len(pages) != 1 or "verdict" not in pages[0][0]
    title = f"Calls audited: {len(entries)}"
    if not many:
        title = f"{VERDICT_WORDS[entries[0][0]['verdict']]['short']}: {pages[0][3]}"
    yield fill(PAGE_START, title=title, size="many" if many else "one", style=Html(PAGE_STYLE),
               digest=Html(b64encode(sha256(PAGE_STYLE.encode()).digest()).decode()))
    if many:
        yield show_index(title, entries, pages)
    for number, page in enumerate(pages, 1):
        if "verdict" in page[0]:
            yield show_card(*page[:4], number, len(pages), 2 if many else 1)
    yield PAGE_END


def list_pages(card, summary, turns, recipients=()):
    """Yield (card, summary, turns, name, place in the index) of an entry, then of its recipients."""
    names = [str(card[key]) for key in ("call_id", "source") if card.get(key)]
    yield card, summary, turns, " · ".join(names) or "a call without id", "call"
    for number, recipient in enumerate(recipients, 1):
        yield (*recipient[:3], f"recipient {number} of {len(recipients)}", "recipient")


def show_index(title, entries, pages):
    """The list of calls: how many of each verdict, then a row for each, the gravest first."""
    found = [entry[0].get("verdict") for entry in entries]
    tally, rows = [], []
    for verdict, words in VERDICT_WORDS.items():
        count = found.count(verdict)
        if count:
            bar = draw_bar({words["tone"]: count}, len(found))
            tally.append(fill(PAGE_TALLY, words, count=count, bar=bar))
    for number, (card, _, _, name, depth) in enumerate(pages, 1):
        link = fill(PAGE_LINK, to=f"call-{number}", text=name) if "verdict" in card else name
        counts = card.get("counts", {})
        bar = draw_bar(counts, counts.get("checkable"))
        rows.append(fill(PAGE_ROW, VERDICT_WORDS[card.get("verdict")], depth=depth, link=link, bar=bar,
                         gist=card.get("error") or gist_of(card)))
    return fill(PAGE_INDEX, title=title, tally=join_markup(tally), rows=join_markup(rows))


def gist_of(card):
    """How many claims were verified, in words; the rest of the reasoning is shown claim by claim."""
    return card["reasoning"].partition(";")[0]


def draw_bar(counts, total):
    """A bar of each tone's share of the total; words beside it say the same."""
    parts, start = [], 0
    for tone in ("contradicted", "unsupported", "unchecked", "supported"):
        if counts.get(tone):
            width = 100 * counts[tone] / total
            parts.append(fill(PAGE_BAR_PART, tone=tone, start=f"{start:.3g}", width=f"{width:.3g}"))
            start += width
    return fill(PAGE_BAR, parts=join_markup(parts))


def show_card(card, summary, turns, name, number, last, top):
    """One call: what to do, then its summary and claims beside its conversation."""
    home, counts = f"call-{number}", card["counts"]
    claims = [describe_claim(home, *numbered, summary) for numbered in enumerate(card["claims"], 1)]
    codes = [card.get("reason"), card.get("strict") and "strict_mode", *card.get("warnings", ()),
             *(gap + "_gap" for gap in card.get("coverage_gaps", ()))]
    walk = [("index", "All calls")] * (top > 1) + [(f"call-{number + 1}", "Next call")] * (number < last)
    return fill(
        PAGE_CARD, VERDICT_WORDS[card["verdict"]], home=home, name=name, top=top, mid=top + 1,
        place=f"Call {number} of {last}",
        walk=join_markup(fill(PAGE_LINK, to=to, text=text) for to, text in walk),
        score=card["score"], gist=gist_of(card), bar=draw_bar(counts, counts["checkable"]),
        notes=join_markup(fill(PAGE_NOTE, note=plain_words(code)) for code in codes if code),
        summary=mark_text(summary, [(*claim["span"], claim) for claim in claims if claim["span"]]),
        claims=show_claims(home, claims, turns, top + 2), talk=show_talk(home, claims, turns),
        disclaimer=card.get("disclaimer", ""))


def describe_claim(home, number, claim, summary):
    """A claim as the templates want it: with its number, its place in the summary, its ids and words."""
    start, end = claim.get("span") or (0, 0)
    known = 0 <= start < end <= len(summary)
    own, mark, kind = f"{home}-claim-{number}", f"{home}-mark-{number}", plain_words(claim["kind"])
    what = f"{kind}: {claim['value']}" if claim.get("value") else kind
    why = plain_words(claim.get("reason") or claim["grade"] or "", kind)
    if claim.get("rule"):
        why += f" Inexact match: {plain_words(claim['rule'])}."
    return dict(
        claim, **GRADE_WORDS[claim["grade"]], number=number, what=what, why=why, own=own, to=own,
        span=known and (start, end), surface=summary[start:end] if known else claim["text"],
        mark=Html(f' id="{mark}"'), back=mark if known else own)


def show_claims(home, claims, turns, low):
    """The claims by grade, the gravest first."""
    places = {turn.index: (f"{home}-turn-{place}", turn) for place, turn in reversed(list(enumerate(turns)))}
    groups = []
    for words in GRADE_WORDS.values():
        rows = [show_claim(claim, places) for claim in claims if claim["tone"] == words["tone"]]
        if rows:
            groups.append(fill(PAGE_GROUP, words, low=low, count=len(rows), rows=join_markup(rows)))
    return join_markup(groups)


def show_claim(claim, places):
    """One claim: what it states, why it has its grade, and the turn to read."""
    quote, proof = claim.get("quote"), ""
    place = places.get(claim.get("contradicted_by_turn")) or places.get(claim.get("turn_index"))
    if place:
        to, turn = place
        quote = quote or turn.text[:160] + "…" * (len(turn.text) > 160)
        proof = fill(PAGE_PROOF, claim, to=to, index=turn.index, speaker=turn.speaker, quote=quote)
    elif quote:
        proof = fill(PAGE_FIELD, quote=quote)
    return fill(PAGE_CLAIM, claim, tag=fill(PAGE_TAG, claim, text="", mark="", to=claim["back"]), proof=proof)


def show_talk(home, claims, turns):
    """The conversation, each turn with the numbers of the claims that lean on it or that it contradicts."""
    bearing = {}                        # turn index: claims
    for claim in claims:
        for index in {claim.get("turn_index"), claim.get("contradicted_by_turn")}:
            bearing.setdefault(index, []).append(dict(claim, mark=""))
    shown = []
    for place, turn in enumerate(turns):
        here = bearing.get(turn.index, ())
        against = any(claim.get("contradicted_by_turn") == turn.index for claim in here)
        spots = [(*find_quote(turn.text, claim.get("quote")), claim) for claim in here]
        label = f"({mask_pii(turn.label)})" if turn.label and turn.label.lower() != turn.speaker else ""
        shown.append(fill(
            PAGE_TURN, own=f"{home}-turn-{place}", speaker=turn.speaker, index=turn.index, label=label,
            against=Html(PAGE_AGAINST * against), text=mark_text(turn.text, spots)))
    return join_markup(shown)


def find_quote(text, quote):
    """Where the quoted part of a turn stands; the turn's end where it is all of it, or not found."""
    quote = (quote or "").strip("… ")
    start = text.find(quote) if 0 < len(quote) < len(text.strip()) else -1
    return (start, start + len(quote)) if start >= 0 else (len(text), len(text))


def mark_text(text, spots):
    """The text with its spots (start, end, claim) marked; overlapping ones share one mark, as the gravest."""
    groups = []                         # [start, end, claims]
    for start, end, claim in sorted(spots, key=lambda spot: spot[:2]):
        if groups and start < groups[-1][1]:
            groups[-1][1] = max(groups[-1][1], end)
            groups[-1][2].append(claim)
        else:
            groups.append([start, end, [claim]])
    pieces, done = [], 0
    for start, end, claims in groups:
        pieces.append(escape_text(text[done:start]))
        for claim in sorted(claims, key=lambda claim: list(GRADE_WORDS).index(claim["grade"])):
            pieces.append(fill(PAGE_TAG, claim, text=text[start:end]))
            start = done = end          # the second and later bear their numbers only
    return join_markup([*pieces, escape_text(text[done:])])


def plain_words(code, kind=""):
    """What a card's code means to a reviewer; one that is not in the table is shown with spaces."""
    return PLAIN_WORDS.get(code, code.replace("_", " ")).replace("{kind}", kind)


# ---------------------------------------------------------------------------------------------- craft

DISCIPLINE = """\
{task}

FACTS
{facts}

SUMMARY DISCIPLINE
When the call is over, write its summary by these rules:
- Restate only what was spoken aloud on this call, by you or by the other side.
- Say a number as the word that was spoken ("four", not "4-5"); \
give no range, total or rounding that nobody said.
- Bring in no amount, date, time, name or promise that was not spoken, not even one of the facts above.
- Tell what was only offered, asked or left open as just that.
- If no person answered, say so, and report no outcome.
- {outcome}
"""
OUTCOME_LINE = "State the outcome word exactly once, and only if the other side's last word bears it out."
TOKEN_LINE = ("State the outcome word {token} exactly once, and only if the other side's last word bears it "
              "out; otherwise say plainly what came out instead.")


def craft_template(task, facts, outcome_token=None):
    """A plan_call goal whose summary rules make the agent's next summary faithful;
    text, ending in a line break.

    task and facts are text; outcome_token is one word or None. Phone numbers in them are masked. Raises
    ValueError for an empty task, empty facts, or an outcome token that is not one word.
    """
    task, facts = mask_pii(task.strip()), mask_pii(facts.strip())
    token = None if outcome_token is None else outcome_token.strip()
    for name, value in (("task", task), ("facts", facts)):
        if not value:
            raise ValueError(f"an empty {name}")
    if token is not None and not pattern(r"[^\W_][\w-]*").fullmatch(token):
        raise ValueError("an outcome token that is not one word")
    listed = "\n".join("- " + fact.strip() for fact in pattern(r"[;\n]").split(facts) if fact.strip())
    return DISCIPLINE.format(task=task, facts=listed,
                             outcome=TOKEN_LINE.format(token=token) if token else OUTCOME_LINE)


# ------------------------------------------------------------------------------------ explain, schema
# What to do about a word of a card; what it means stands in PLAIN_WORDS and VERDICT_WORDS.

REMEDIES = {
    "verdict": """
FAITHFUL: Go on, unless warnings or gaps say otherwise; keep the card with the record.
UNSUPPORTED_CLAIMS: Hold the action and look up the flagged claims in the call.
CONTRADICTED_CLAIMS: Stop; a person reads the call and corrects the summary.
NO_CHECKABLE_CLAIMS: Take nothing from the summary; its reason says why.""",
    "reason": """
kind_absent_from_transcript: Strike it, or find out where the agent had it from.
not_said: Strike it, or find out where the agent had it from.
superseded: Use what stood in its place at the end of the call.
hedged: Treat it as open; ask again before acting on it.
only_agent_said: Treat it as not agreed; ask the other side.
recorded_voice: Call again: nobody has agreed to anything.
strict: Read the turn that the card names, and decide.
wrong_owner: Give the task to whoever took it on in the call.
said_of_something_else: Put each value back to what it was said of.
never_mentioned: Strike it, or find out where the agent had it from.
refused: Do not act on it.
failed: Do not count on it; have it tried again.
wrong_party: Correct the number before calling again.
only_promised: Wait until it is done, or check that it was.
masked: Compare the number where it is kept unmasked.
record_field: Trust the record's own field, or find out why it differs.
summary_missing: Have the summary written, or use the record's structured fields.
opinion_only: Take nothing from the summary; use the record's structured fields.
no_summary_given: Take nothing from it: its writer had nothing to tell.
undecided: Read the stretches of check_first.
language_not_supported: Have a person who knows the language read the call.""",
    "rule of an inexact match": """
answered_question: See that the yes was an answer to this.
late_acknowledgement: See that the late yes was meant for this.
acknowledged_offer: See that the okay was more than politeness.
unit_conversion: Nothing, but for regulated work.
ambiguous_reading: See which of the readings was meant.
call_date: See that the call's date is right, its time zone too.
general_word: See that the way of sending is right.
negated_outcome: See that nothing came of it in the call.
record_field: See that the record's own field is right.
loose_reading: See that the recogniser's words mean this value.
sounds_like: See how the name is really spelled.""",
    "warning": """
call_not_ended: Fetch the record again when the call is over.
transcript_missing: Fetch the record again with its transcript; until then nothing is checked.
language_not_supported: Have a person who knows the language read the call.
outcome_not_read: Choose a known outcome word, or tell the program what people say when it is so.
speakers_unknown: Name the called party's label with --callee.""",
    "gap": """
outcome: Read how the call ended before acting on the summary.
opt-out: Take the number off the list.""",
}


def explanations():
    """(kind of word, word, what it means, what to do) of every word of a card that is known."""
    for kind, rows in REMEDIES.items():
        for row in rows.strip().split("\n"):
            word, todo = row.split(": ", 1)
            means = VERDICT_WORDS[word]["headline"] + "." if word in VERDICT_WORDS else \
                PLAIN_WORDS.get(word + "_gap" * (kind == "gap"))
            if means:
                means = means.replace("{kind}", "value")
                yield kind, word, means[0].upper() + means[1:].rstrip(".") + ".", todo


def run_explain(options):
    """Say what words of a card mean; exit code 2 for one that is not known."""
    rows = list(explanations())
    asked = (options.code or "").strip().lower().replace(" ", "_")
    found = [row for row in rows if asked in ("", row[1].lower())]
    if not found:
        import difflib
        near = difflib.get_close_matches(asked, sorted({row[1].lower() for row in rows}))
        raise UsageError(f"no word of a card: {options.code}" + (f"; near it: {', '.join(near)}" if near else
                                                                 "; `explain` alone lists them"))
    for kind, word, means, todo in found:
        sys.stdout.write(f"{word} ({kind})\n  {means}\n  {todo}\n")
    return EXIT_DONE


CARD_SCHEMA = """\
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "A card of the call summary auditor",
  "type": "object",
  "properties": {
    "source": {"type": "string", "description": "the input; only where there are many"},
    "call_id": {"type": ["string", "null"]},
    "verdict": {"enum": ["FAITHFUL", "UNSUPPORTED_CLAIMS", "CONTRADICTED_CLAIMS", "NO_CHECKABLE_CLAIMS"]},
    "reason": {"type": "string", "description": "why there is nothing to check"},
    "score": {"type": "number", "minimum": 0, "maximum": 1, "description": "supported / checkable"},
    "label": {"enum": ["pass", "fail"], "description": "of the score; the verdict is the gate"},
    "reasoning": {"type": "string"},
    "strict": {"type": "boolean"},
    "claims": {"type": "array", "items": {"$ref": "#/$defs/claim"}},
    "fields": {"type": "array", "items": {"type": "object"}},
    "check_first": {"type": "array", "maxItems": 3, "items": {"$ref": "#/$defs/stretch"}},
    "counts": {"$ref": "#/$defs/counts"},
    "coverage_gaps": {"type": "array", "items": {"enum": ["outcome", "opt-out"]}},
    "warnings": {"type": "array", "items": {"type": "string"}},
    "recipients": {"type": "array", "items": {"$ref": "#"}},
    "version": {"type": "string"},
    "schema": {"type": "integer"},
    "disclaimer": {"type": "string"}
  },
  "if": {"properties": {"verdict": {"const": "NO_CHECKABLE_CLAIMS"}}},
  "then": {"required": ["reason"]},
  "else": {"not": {"required": ["reason"]}},
  "$defs": {
    "claim": {
      "type": "object",
      "properties": {
        "text": {"type": "string", "description": "its sentence"},
        "kind": {"enum": ["numeric", "date_time", "outcome", "action", "name", "non_checkable_spelled",
                          "non_checkable_masked", "non_checkable_opinion"]},
        "value": {"type": ["string", "null"]},
        "grade": {"enum": ["SUPPORTED", "UNSUPPORTED", "CONTRADICTED", "UNDECIDED", null]},
        "turn_index": {"type": ["integer", "null"], "description": "the turn of the evidence"},
        "span": {"$ref": "#/$defs/span"},
        "match": {"enum": ["literal", "inexact"]},
        "rule": {"type": "string", "description": "what an inexact match needed"},
        "speaker": {"type": "string"},
        "quote": {"type": "string", "description": "the evidence, masked"},
        "contradicted_by_turn": {"type": "integer"},
        "reason": {"type": "string", "description": "why it is not verified"},
        "id": {"type": "string", "pattern": "^[0-9a-f]{8}$"},
        "words": {"type": "string", "description": "what it was read from"},
        "why": {"type": "string"},
        "said_instead": {
          "type": "array",
          "maxItems": 3,
          "items": {
            "type": "object",
            "properties": {"value": {"type": "string"}, "turn_index": {"type": "integer"},
                           "quote": {"type": "string"}},
            "required": ["value", "turn_index", "quote"]
          }
        },
        "accepted": {"type": "boolean", "description": "a person accepted it, in the baseline"}
      }
    },
    "counts": {
      "type": "object",
      "properties": {
        "checkable": {"$ref": "#/$defs/count"},
        "supported": {"$ref": "#/$defs/count"},
        "unsupported": {"$ref": "#/$defs/count"},
        "contradicted": {"$ref": "#/$defs/count"},
        "undecided": {"$ref": "#/$defs/count"}
      }
    },
    "stretch": {
      "type": "object",
      "properties": {
        "text": {"type": "string"},
        "span": {"$ref": "#/$defs/span"},
        "why": {"type": "string"},
        "turn_index": {"type": ["integer", "null"]}
      }
    },
    "count": {"type": "integer", "minimum": 0},
    "span": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2,
             "description": "start and end in the masked summary"}
  }
}"""
SCHEMA_REQUIRED = {
    "card": "call_id verdict score label reasoning strict claims counts coverage_gaps warnings disclaimer",
    "claim": "text kind value grade turn_index span",
    "counts": "checkable supported unsupported contradicted",
    "stretch": "text span why",
}
SCHEMA_LATER = {
    "card": "check_first version schema",
    "claim": "id words",
    "counts": "undecided",
}


def run_schema(options):
    """Print the card's JSON Schema."""
    schema = json.loads(CARD_SCHEMA)
    for name, keys in SCHEMA_REQUIRED.items():
        (schema if name == "card" else schema["$defs"][name])["required"] = keys.split()
    sys.stdout.write(json.dumps(schema, indent=2) + "\n")
    return EXIT_DONE


# --------------------------------------------------------------------------------------- command line

ABOUT = "Audit the summary that a voice agent wrote of a phone call against the call's transcript."
AUDIT_HELP = """\
Prints a card for each call record: a verdict, and for each claim of the summary the turn that bears it out.
One path gives one indented card. Several, or many records in one (lines, or a JSON list), give a compact
card a line, in input order, each with its source. What is gzipped is unpacked.

examples:
  %(prog)s fixtures/faithful.json
  %(prog)s --format text call.json
  %(prog)s --exit-code - < call.json || echo "hold the automation"
  %(prog)s archive.jsonl | jq -r 'select(.verdict != "FAITHFUL") | .call_id'

verdicts: FAITHFUL, UNSUPPORTED_CLAIMS, CONTRADICTED_CLAIMS, NO_CHECKABLE_CLAIMS
a card fails by what --fail-on lists, its recipients' cards too:
  unsupported, contradicted, undecided   a claim of that grade which --baseline has not accepted
  no-claims                              NO_CHECKABLE_CLAIMS
  warnings                               call_not_ended, language_not_supported, transcript_missing,
                                         outcome_not_read, speakers_unknown
  opt-out, gaps                          the summary hides that the callee wants no calls; any gap
  none                                   nothing
exit codes: 0 done; 1 with --exit-code, a card fails; 2 wrong input or usage, or no record at all;
130 interrupted; 129, 143 ended by SIGHUP, SIGTERM"""
CRAFT_HELP = """\
Prints a plan_call goal: the task, the facts and a SUMMARY DISCIPLINE block that makes \
the next summary faithful.

example:
  %(prog)s --task "Confirm the reservation" --facts "party of 4; Wednesday October 14; 2 p.m." \
--outcome-token CONFIRMED"""
EXPLAIN_HELP = """\
Says what a word of a card means and what to do about it: a verdict, a reason, a rule, a warning, a gap.
Without a word, all of them.

example:
  %(prog)s superseded"""
SCHEMA_HELP = """\
Prints the JSON Schema (draft 2020-12) of a card.

example:
  %(prog)s > card.schema.json"""


class UsageError(Exception):
    """A combination of options that makes no sense; main prints it and ends with 2."""


def build_parser():
    """The options of all commands."""
    parser = argparse.ArgumentParser(description=ABOUT, epilog="Each command has a --help of its own.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name, said, about, run):
        made = commands.add_parser(name, help=said, description=about,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
        made.set_defaults(run=run)
        return made

    audit = command("audit", "audit call records", AUDIT_HELP, run_audit)
    audit.add_argument("paths", metavar="PATH", nargs="*",
                       help="call records: .json, .jsonl, .ndjson, .gz; - or nothing is standard input")
    add_audit_options(audit)
    analyze = command("analyze", "the same as audit, for workflows of the earlier tool",
                      "Another spelling of audit: analyze --call-result FILE is audit FILE.", run_audit)
    analyze.add_argument("--call-result", metavar="FILE", dest="paths", action="append", required=True,
                         help="a call record; - is standard input")
    add_audit_options(analyze)
    craft = command("craft", "write a goal for the next call", CRAFT_HELP, run_craft)
    craft.add_argument("--task", required=True, metavar="TEXT", help="what the call is for")
    craft.add_argument("--facts", required=True, metavar="TEXT",
                       help="what the agent may say, separated by ;")
    craft.add_argument("--outcome-token", metavar="WORD", help="the word that the summary is to state once")
    craft.add_argument("--json", action="store_true", help='print plan_call arguments: {"goal": …}')
    explain = command("explain", "say what a word of a card means", EXPLAIN_HELP, run_explain)
    explain.add_argument("code", metavar="REASON|RULE|WARNING", nargs="?", help="a word as the card has it")
    command("schema", "print the card's JSON Schema", SCHEMA_HELP, run_schema)
    return parser


def add_audit_options(audit):
    """The options of audit and analyze."""
    add = audit.add_argument
    add("--jsonl", action="store_true",
        help="every line of the input is a record (also chosen by .jsonl and .ndjson)")
    add("--format", choices=("json", "text", "html", "junit", "github"), default="json",
        help="default: json; junit is a test report, github annotates a workflow; "
             "text and html take single records, no lines and lists")
    add("--strict", action="store_true", help="count every inexact match as unverified")
    add("--exit-code", action="store_true", help="end with 1 if any card fails")
    add("--fail-on", metavar="LIST", type=fail_on_list, default=FAIL_ON,
        help="what a card fails by, separated by commas; default: " + ",".join(FAIL_ON))
    add("--baseline", metavar="CARDS",
        help='cards of an earlier run: a claim with "accepted": true there does not fail again')
    add("--summary-key", metavar="KEY", help="the key that the summary stands under, if it is an unusual one")
    add("--transcript-key", metavar="KEY", help="the same for the transcript")
    add("--callee", metavar="LABEL", help="the label of the called party, if no rule tells which one it is")
    add("--call-date", metavar="YYYY-MM-DD", type=call_date, help="for records without a start time")
    add("--jobs", metavar="N", type=job_count, default=1,
        help="processes, for lines and for many files; the output is the same")
    add("--output", metavar="FILE", help="write there, whole or not at all, instead of to standard output")


def call_date(text):
    """The date of --call-date; argparse reports the ValueError."""
    import datetime
    if not pattern("[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch(text):       # newer Pythons take more
        raise ValueError(text)
    return datetime.date.fromisoformat(text)


def job_count(text):
    """The number of --jobs, from 1 up."""
    if not text.isdecimal() or not int(text):
        raise ValueError(text)
    return int(text)


def fail_on_list(text):
    """The words of --fail-on."""
    words = text.replace(" ", "").split(",")
    if not {*FAIL_ON, *FAIL_ON_TOO}.issuperset(words) or "none" in words and len(words) > 1:
        raise ValueError(text)
    return words


job_count.__name__ = "number of processes, from 1 up,"
call_date.__name__ = "date (YYYY-MM-DD)"            # argparse names the type in its error
fail_on_list.__name__ = f"list (of {', '.join(FAIL_ON + FAIL_ON_TOO[:-1])}, or none alone)"


def run_craft(options):
    """Print the goal; exit code 0."""
    try:
        goal = craft_template(options.task, options.facts, options.outcome_token)
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    said = options.task + "\n\x1e" + options.facts
    if mask_pii(said) != said:
        tell("warning: a phone number was masked")
    sys.stdout.write(json.dumps({"goal": goal}, indent=2) + "\n" if options.json else goal)
    return EXIT_DONE


# what every record is audited by; many: each card has its source; several: a bad input does not end the run
Settings = namedtuple("Settings", "strict date summary_key transcript_key callee format many several "
                      "fail_on accepted colour")
# line: its number in the source or None; record: the bytes of a line, a parsed record, or a RecordError
Item = namedtuple("Item", "source line record")
# what is printed, its verdict (None: an error), whether it fails, what a page needs or an error that ends all
Result = namedtuple("Result", "text verdict failing entry")


def run_audit(options):
    """Audit every input; the exit code."""
    need_sense(options)
    tally, out, kept = Tally(options.paths), Output(options.output), []
    several = len(options.paths) > 1 or options.format in ("junit", "github")
    try:
        out.open()
        settings = Settings(
            options.strict, options.call_date, options.summary_key, options.transcript_key, options.callee,
            options.format, several or options.lines, several, options.fail_on,
            accepted_ids(options.baseline), out.stream.isatty() and "NO_COLOR" not in os.environ)
        for result in tally.watch(results_of(options, settings, tally), not out.stream.isatty()):
            if isinstance(result.entry, RecordError):
                raise result.entry
            kept += [result] * (options.format in ("html", "junit"))
            try:
                out.stream.write(result.text * (not kept))
            except BrokenPipeError:                     # the reader has seen enough, `| head`; a gate has not
                drop_output()
                if tally.failing or not options.exit_code:
                    break
        if not tally.verdicts:
            raise RecordError("no record", ", ".join(map(source_name, options.paths)))
        if options.format == "html":
            for piece in render_html([result.entry for result in kept]):
                out.stream.write(ascii_markup(piece))
        elif options.format == "junit":
            out.stream.write(ascii_markup(render_suite([result.text for result in kept])))
        elif options.format == "github":
            out.stream.write(f"::notice title=Call summaries::{tally}\n")
        out.stream.flush()                              # a closed pipe must show here
        out.keep()
    except BrokenPipeError:                             # all was read
        drop_output()
    finally:
        out.drop()
    return tally.exit_code(options.exit_code)


def need_sense(options):
    """Complete the options of audit; raise `UsageError` where they do not go together."""
    options.paths = options.paths or ["-"]
    options.lines = options.jsonl or any(map(has_lines, options.paths))
    if options.lines and options.format in ("text", "html"):
        raise UsageError(f"--jsonl goes with --format json, junit and github only, not with {options.format}")
    if "" in (options.output, options.baseline):
        raise UsageError("an empty --output" if options.output == "" else "an empty --baseline")
    if options.output and os.path.realpath(options.output) in map(os.path.realpath, options.paths) \
            and os.path.isfile(options.output):
        raise UsageError("--output is one of the inputs")


def has_lines(path):
    """Whether a name says that each line is a record."""
    name = path.lower()
    return (name[:-3] if name.endswith(".gz") else name).endswith((".jsonl", ".ndjson"))


def ascii_markup(text):
    """Markup that any code page can hold."""
    return text.encode("ascii", "xmlcharrefreplace").decode()


def accepted_ids(path):
    """The ids of the claims that a person accepted in an earlier run's cards: lines, or one indented card."""
    ids = set()

    def note(pairs):
        claim = dict(pairs)
        if claim.get("accepted") is True:
            ids.add(str(claim.get("id")))
        return claim

    if path is not None:
        where = source_name(path)
        text = decode_record(read_bytes(path, where), where)
        try:
            parse_json(text, where, note)
        except RecordError:
            for number, line in enumerate(text.splitlines(), 1):
                if line.strip():
                    parse_json(line, f"line {number} of {where}", note)
        if "None" in ids:
            raise RecordError("an accepted claim without an id", where)
    return ids


def accept_claims(card, accepted):
    """Mark the claims that a person accepted."""
    for one in [card, *card.get("recipients", ())]:
        for claim in [*one["claims"], *one.get("fields", ())]:
            if claim.get("id") in accepted:
                claim["accepted"] = True


def items_of(options, settings, tally):
    """The Item of every record, in input order; read when asked for."""
    for path in options.paths:
        where = source_name(path)
        try:
            if options.jsonl or has_lines(path):
                for number, line in enumerate(read_lines(path, where, tally.begin), 1):
                    if line.strip():
                        yield Item(path, number, line)
                continue
            text = decode_record(read_bytes(path, where, tally.begin), where)
            value = parse_json(text, where, own_keys(text, where, settings))
            records = records_in(value)
            if records is None:
                yield Item(path, None, value)
            elif options.format in ("text", "html"):
                raise RecordError(f"a list of records, which --format {options.format} does not take,", where)
            else:
                for number, record in enumerate(records, 1):
                    tally.share = number / len(records)
                    yield Item(path, number, record)
        except RecordError as problem:
            yield Item(path, None, problem)


def own_keys(text, where, settings):
    """The hook for the user's own keys, if there are any; raise `RecordError` where a record lacks one."""
    for key in settings.summary_key, settings.transcript_key:
        if key and f'"{key}"' not in text:
            raise RecordError(f"no key {key!r}", where)
    return renaming(settings.summary_key, settings.transcript_key)


def audit_item(item, settings):
    """The Result of an Item; where there are many, a bad one is an error row in its place."""
    source, line, record = item
    where = source_name(source) if line is None else f"line {line}" if isinstance(record, bytes) \
        else f"record {line}"
    try:
        if isinstance(record, RecordError):
            raise record
        if isinstance(record, bytes):
            text = decode_record(record, where)
            record = parse_record(text, where, own_keys(text, where, settings))
        audit = audit_task(read_call(record, where, settings.date), settings.strict)
    except RecordError as problem:
        if line is None and not settings.several:
            return Result("", None, True, problem)
        row = {"source": source, **({} if line is None else {"line": line}), "error": error_text(problem)}
        return Result(render_row(row, settings), None, True, (row, "", []))
    card = card_of(audit)
    accept_claims(card, settings.accepted)
    compact = settings.many or line is not None
    named = {"source": source, **card} if compact else card
    return Result(render_row(named, settings, line, compact), card["verdict"],
                  bool(fails(card, settings.fail_on)), settings.format == "html" and page_entry(named, audit))


def render_row(row, settings, line=None, compact=True):
    """What is printed of a card or an error row at once; a page and a report are made of all of them."""
    if settings.format == "json":
        return json.dumps(row, indent=None if compact else 2) + "\n"
    if settings.format == "text":
        return f"error: {visible(row['error'])}\n\n" if "error" in row else \
            render_text(row, settings.colour, fail_on=settings.fail_on) + "\n" * settings.many
    if line is not None:
        row = {**row, "line": line}
    return {"junit": render_case, "github": render_annotation}[settings.format](row, settings.fail_on) \
        if settings.format != "html" else ""


def page_entry(card, audit):
    """(card, masked summary, masked turns, and the same for each recipient) of an Audit."""
    return (card, audit.summary, audit.dialogue.turns,
            [page_entry(one, inner) for one, inner in zip(card.get("recipients", ()), audit.recipients)])


def results_of(options, settings, tally):
    """The Result of every record, in input order;
    with --jobs in several processes, the order and the bytes being the same."""
    items = items_of(options, settings, tally)
    if options.jobs == 1:
        for item in items:
            yield audit_item(item, settings)
        return
    from collections import deque
    from itertools import islice
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    jobs = min(options.jobs, 61)                        # more than Windows takes
    pool, waiting = ProcessPoolExecutor(jobs, None, leave_signals_to_parent, (os.getpid(),)), deque()
    try:
        for block in iter(lambda: list(islice(items, 64 if options.lines else 8)), []):
            waiting.append(pool.submit(audit_items, block, settings))
            # as many as keep all busy: the input is never read ahead of the output
            if len(waiting) > 4 * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool:
        raise RecordError("a worker process that ended early", source_name(options.paths[0])) from None
    finally:
        for future in waiting:
            future.cancel()
        pool.shutdown()


def audit_items(items, settings):
    """The Results of some Items, in a worker process."""
    return [audit_item(item, settings) for item in items]


def leave_signals_to_parent(parent):
    """In a worker process: the parent answers signals and ends the pool; without a parent they end it.

    A worker that dies at work makes the pools of older Pythons wait for it for ever.
    """
    def end(number, frame):
        if os.getppid() != parent:
            os._exit(128 + number)

    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else end)


class Tally:
    """Counts of what was printed: for the exit code, and for the progress that a terminal shows."""

    def __init__(self, paths):
        self.paths, self.verdicts, self.failing = paths, {}, 0
        self.file, self.size, self.before, self.share = None, 0, 0, None

    def begin(self, file):
        """Note that a file was opened: bytes of the inputs before it, and its own."""
        self.before, self.file, self.share = self.before + self.size, file, None
        try:
            self.size = os.fstat(file.fileno()).st_size
        except (OSError, ValueError):                   # no file of the system's
            self.size = 0

    def done(self):
        """The share of the input that was read, up to 1; None if its size is not known."""
        try:
            whole = sum(os.stat(path).st_size if path != "-" else self.size for path in self.paths)
            part = self.size if self.file.closed else self.file.tell()
            part = part if self.share is None else self.share * self.size
            return min(1, (self.before + part) / whole) if whole else None
        except (OSError, ValueError, AttributeError):   # a pipe; a file that is not there
            return None

    def watch(self, results, quiet_output):
        """Pass results on, counted; beside a quiet output tell a terminal at most twice a second how fast
        it is, how much of the input was read, and of which verdict, and at the end leave a line."""
        import time
        start = shown = time.monotonic()
        live = quiet_output and sys.stderr.isatty()
        for count, result in enumerate(results, 1):
            self.verdicts[result.verdict] = self.verdicts.get(result.verdict, 0) + 1
            self.failing += result.failing
            if ENDED:
                raise KeyboardInterrupt(*ENDED)
            now = time.monotonic() if live else shown
            if now - shown > .5:
                shown, done = now, self.done()
                left = f", {done:.0%}, {(now - start) * (1 / done - 1):.0f} s left" if done else ""
                say_over(f"{count / (now - start):.0f}/s{left}: {self}")
            yield result
        if live and sum(self.verdicts.values()) > 1:
            say_over(f"{self} in {time.monotonic() - start:.1f} s\n")

    def __str__(self):
        said = [f"{number:,} {verdict or 'unreadable'}" for verdict, number in self.verdicts.items()]
        return f"{sum(self.verdicts.values()):,} calls, {self.failing:,} fail; {', '.join(said)}"

    def exit_code(self, gate):
        """2 if a record could not be audited; 1 if a card fails and the caller gates on it."""
        if None in self.verdicts:
            return EXIT_WRONG_INPUT
        return EXIT_FAILS if gate and self.failing else EXIT_DONE


def say_over(text):
    """Put a line in the place of the terminal's last one, no longer than the terminal is wide."""
    import shutil
    width = shutil.get_terminal_size().columns - 1
    print("\r\x1b[K" + (text if text.endswith("\n") else text[:width]), end="", file=sys.stderr, flush=True)


class Output:
    """Standard output, or a file that is written whole or not at all: beside it first, then in its place."""

    def __init__(self, path):
        self.stream, self.given, self.path = sys.stdout, path, path and os.path.realpath(path)
        self.beside = path and os.path.join(os.path.dirname(self.path), f".audit-{os.urandom(6).hex()}")

    def open(self):
        """Open it; a device or a pipe is no file to replace."""
        if not self.path:
            return
        try:
            if os.path.exists(self.path) and not os.path.isfile(self.path) and not os.path.isdir(self.path):
                self.beside = None
            self.stream = open(self.beside or self.path, "x" if self.beside else "w", encoding="utf-8",
                               errors="replace", newline="\n",
                               opener=lambda name, flags: os.open(name, flags, 0o600))
        except OSError as problem:
            raise RecordError(f"no writable file ({problem.strerror})", self.given) from None

    def keep(self):
        """Put what was written in its place, with the mode of the file that was there."""
        if not self.path:
            return
        self.stream.close()
        if self.beside:
            try:
                mode = os.stat(self.path).st_mode & 0o7777
            except OSError:
                mode = 0o666 & ~current_umask()
            try:
                os.chmod(self.beside, mode)
                os.replace(self.beside, self.path)
            except OSError as problem:
                raise RecordError(f"no writable file ({problem.strerror})", self.given) from None

    def drop(self):
        """Leave nothing beside it."""
        if self.path and self.stream is not sys.stdout:
            try:
                self.stream.close()
            except OSError:                             # a full disk, told already
                pass
        if self.beside and os.path.lexists(self.beside):
            os.unlink(self.beside)


def current_umask():
    """The process's umask; asking for it sets it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def ready_streams():
    """Standard streams that may be closed or narrow: what an encoding cannot hold is shown as "?", and what
    is written to a closed standard output is an error."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(newline="\n", errors="replace")          # the same bytes on Windows


def drop_output():
    """Send what standard output still holds nowhere: the interpreter would try it once more at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


ENDED = []                  # the exit code, once a signal came: what it raises may be swallowed by a hook


def catch_signals():
    """Let a signal end the run as a KeyboardInterrupt of the exit code, so that all is tidied up;
    the handlers that were set before, by signal."""
    own, before = os.getpid(), {}

    def end(number, frame):
        if os.getpid() == own:                          # else a worker that has just begun
            for other in before:
                signal.signal(other, signal.SIG_IGN)    # once is enough: nothing stops the tidying up
            ENDED.append(128 + number)
            raise KeyboardInterrupt(128 + number)

    ENDED.clear()
    for number in ENDING_SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            try:
                before[number] = signal.signal(number, end)
            except ValueError:                          # not the main thread: its caller's matter
                break
    return before


def error_text(problem):
    """What an error says: names of files as they were given, all else masked."""
    what, *where = problem.args
    return " in ".join([mask_pii(what), *map(str, where)])


def tell(text):
    """A line on standard error; none if that is closed or full."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        pass


def run_command(argv):
    """Read the options and run their command; the exit code, that of argparse too (--help, wrong usage)."""
    try:
        options = build_parser().parse_args(argv)
    except SystemExit as leaving:
        return leaving.code
    return options.run(options)


def main(argv=None):
    """Run one command; return its exit code. argv: the arguments without the program's name."""
    before = {}
    try:
        ready_streams()
        before = catch_signals()
        code = run_command(argv)
        sys.stdout.flush()                              # a closed pipe must show here, not after we have left
        return code
    except (RecordError, UsageError) as problem:
        tell(visible(f"error: {error_text(problem)}").replace("\n", "\ufffd"))
        return EXIT_WRONG_INPUT
    except BrokenPipeError:                             # the reader has seen enough: `| head`
        drop_output()
        return EXIT_DONE
    except OSError as problem:
        drop_output()
        tell(f"error: {problem.strerror or problem} in the output")
        return EXIT_WRONG_INPUT
    except KeyboardInterrupt as problem:
        tell("error: interrupted")
        return problem.args[0] if problem.args else EXIT_INTERRUPTED
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(main())
