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
import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)        # until main answers it: no traceback

import argparse
import io
import json
import os
import re
import sys
from binascii import crc32
from bisect import bisect_left, bisect_right
from collections import defaultdict, namedtuple
from functools import cached_property, lru_cache
from itertools import accumulate, combinations, compress, islice, product, repeat, takewhile
from math import log

__version__, SCHEMA = "2.0.0", 2
__all__ = ["RecordError", "mask_pii", "decompose_claims", "anchor_claims", "analyze", "fails",
           "load_call_result", "craft_template", "main"]


# ------------------------------------------------------------------------------------------ constants

EXIT_DONE, EXIT_FAILS, EXIT_WRONG_INPUT, EXIT_INTERRUPTED = 0, 1, 2, 130

NUMERIC, DATE_TIME, OUTCOME, ACTION, NAME = "numeric", "date_time", "outcome", "action", "name"
SPELLED, MASKED, OPINION = "non_checkable_spelled", "non_checkable_masked", "non_checkable_opinion"

SUPPORTED, UNSUPPORTED, CONTRADICTED, UNDECIDED = "SUPPORTED", "UNSUPPORTED", "CONTRADICTED", "UNDECIDED"

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

    @cached_property
    def sort(self):
        """("clock",), ("weekday",), ("date",), or ("number", its value): what it may have been said for."""
        if self.kind != NUMERIC:
            return ("clock" if ":" in self.value else "weekday" if self.value in WEEKDAY_NAMES else "date",)
        number = (self.value.replace(".", "", 1).isdecimal() and self.unit != CODE
                  and ":" not in next(iter(self.keys)))
        return ("number", float(self.value)) if number else ()


class Claim(namedtuple("Claim", "text kind value span mention source first last told tail",
                       defaults=[None, None])):
    """What the summary states: a value, a name, an outcome or a deed.

    text is its sentence, span its [start, end] in the masked summary; source is the summary's Text, first and
    last the claim's words there. told is how a deed is told ("done", "promised", "not"); tail is true for the
    last digits of a number.
    """
    __slots__ = ()


class Grade(namedtuple("Grade", "grade turn_index rule quote speaker reason contradicted_by_turn",
                       defaults=[None] * 6)):
    """What became of a claim: SUPPORTED, UNSUPPORTED, CONTRADICTED, or None where nothing can be checked."""
    __slots__ = ()


# -------------------------------------------------------------------------------------------- lexicon
# Words are data. A row is "canonical value: every way it is said"; a new word is a new row or a new surface.


def word_set(words):
    """The set of some words.

    >>> sorted(word_set("no nor"))
    ['no', 'nor']
    """
    return frozenset(words.split())


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
CARDINALS.update(oh=0, o=0, nought=0, nil=0, fourty=40, loonie=1, toonie=2, fiver=5, tenner=10)
CARDINALS.update((word + "ish", CARDINALS[word]) for word in "one two three four five six seven eight nine ten eleven "
                 "twelve".split())                                  # "fourish"
CARDINALS.update((word + "s", CARDINALS[word])
                 for word in "two three four five seven eight nine ten twelve thirteen fourteen fifteen "
                 "sixteen eighteen".split())                        # "under-sixteens"
REPEATS = {"double": 2, "triple": 3, "treble": 3}           # "nine double two" is 922
SCALES = {"hundred": 100, "thousand": 1000, "million": 10 ** 6, "billion": 10 ** 9, "grand": 1000,
          "thou": 1000, "k": 1000, "hundreds": 100, "lakh": 10 ** 5, "lakhs": 10 ** 5, "lac": 10 ** 5, "lacs": 10 ** 5, "crore": 10 ** 7,
          "crores": 10 ** 7}
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
# words too, but for "on sat", "sat and sun"
SHORT_WEEKDAYS = word_set("wed sat sun")
RELATIVE_DAYS = {"today": 0, "tonight": 0, "tomorrow": 1, "tomorrows": 1, "tmrw": 1, "yesterday": -1}

CLOCK_WORDS = {"noon": "12:00", "noonish": "12:00", "midday": "12:00", "midnight": "00:00"}
DAY_PARTS = by_surface("""
am: morning, mornings, a.m, breakfast
pm: afternoon, afternoons, arvo, evening, evenings, tonight, p.m, dinner, supper, lunchtime
night: night, nights, overnight""")
MERIDIEMS = {"a.m": "am", "am": "am", "p.m": "pm", "pm": "pm", "a": "am", "p": "pm"}
PAST, TO = word_set("past after"), word_set("to til till before of")

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
members, friends, folks, lads, guys, fellas, blokes, party, kids, children, group, recipients
room room 1: room, rooms, bedroom, bedrooms, bathroom, bathrooms, bath, baths, bed, beds
star star 1: star, stars
stop stop 1: stop, stops, transfer, transfers, connection, connections, layover, layovers
option option 1: option, options, choice, choices, result, results, match, matches, hotels, restaurants, \
events, buses, cars, houses, apartments, doctors, properties, flights, songs, movies
gram mass 1: gram, grams, g
tonne mass 1000000: tonne, tonnes
kilogram mass 1000: kilogram, kilograms, kilo, kilos, kg
milligram milligram 1: milligram, milligrams, mg
ounce ounces 1: ounce, ounces, oz
pound ounces 16: pound, pounds, lb, lbs
meter length 100: meter, meters, metre, metres, m
centimeter length 1: centimeter, centimeters, centimetre, centimetres, cm
kilometer length 100000: kilometer, kilometers, kilometre, kilometres, km, klick, klicks, kays
inch inches 1: inch, inches
foot inches 12: foot, feet, ft, footer, footers
yard inches 36: yard, yards
mile inches 63360: mile, miles
liter volume 1000: liter, liters, litre, litres
milliliter volume 1: milliliter, milliliters, millilitre, millilitres, ml
gallon gallon 1: gallon, gallons
pint pint 1: pint, pints
acre acre 1: acre, acres
stone stone 1: stone
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
usd: dollar, dollars, usd, buck, bucks, $, aud, cad, nzd, sgd, hkd
eur: euro, euros, eur, \xa4
gbp: pound, pounds, gbp, quid, sterling, \xa3
jpy: yen, jpy, \xa5; inr: rupee, rupees, inr, \xa6; chf: franc, francs, chf; cny: yuan, cny; krw: won, krw, \xaf
mxn: peso, pesos; zar: rand, rands, zar; ngn: naira, \xa8; php: php, \xac; kes: shilling, shillings, kes
myr: ringgit, ringgits, myr; aed: dirham, dirhams, aed; sar: riyal, riyals, sar
ils: shekel, shekels; pln: zloty, zlotys; thb: baht; idr: rupiah; sek: krona, kronor, kroner""")
CENTS = {"cent": "usd", "cents": "usd", "pence": "gbp", "p": "gbp", "penny": "gbp", "pennies": "usd", "centavo": "mxn",
         "centavos": "mxn", "paise": "inr", "kobo": "ngn"}
CURRENCY_CODES = frozenset(CURRENCIES.values())
CURRENCY_PREFIXES = {       # R1,650, AED90
    **{word: code for word, code in CURRENCIES.items() if word.isalpha()}, "r": "zar", "rs": "inr", "rm": "myr",
    "kr": "sek", "ksh": "kes", "kshs": "kes", "rp": "idr", "rmb": "cny"}
SAME_UNITS = {("gbp", "pound"), ("eur", "cent"), ("php", "mxn")}

# "": the next word says it
RATES = {"each": "each", "apiece": "each", "a": "", "an": "", "per": "", "every": ""}
TOTALS = word_set("total altogether together overall")
CODE_LABELS = word_set(
    "room rooms order number no flat apartment apt suite bay gate code pin account invoice reference ref "
    "confirmation ticket unit case line platform locker floor extension ext booking id policy box bus flight "
    "model dock lane route building space block track aisle table class grade level door pump section window "
    "zone step desk court pitch bed ward counter stall berth lot seat row shelf")
COUNT_CUES = word_set("for of party need want just only book reserve table")
CLOCK_CUES = word_set("at by until till til from between around about before after past since to")
NOT_UNITS = word_set(      # plural-looking words beside FUNCTION_WORDS that count nothing behind a number
    "s us this thus yes always less plus minus times ends starts closes opens leaves arrives its his hers "
    "ours theirs yours perhaps thanks sometimes mondays tuesdays wednesdays thursdays fridays saturdays "
    "sundays downstairs upstairs across towards onwards afterwards besides unless costs comes makes gets goes means "
    "sorry most helps works suits seems feels takes needs runs fits does sits clashes counts weekends weekdays "
    "last next okay ok alright fine please aside away back home early later stays remains holds applies "
    "includes buys keeps thats whats theres mil")
PRONOUN_ONE_AFTER = word_set(  # "the other one", "this one": no count
    "this that the which other another no any every each some last next new good great nice right wrong "
    "first second third same only better cheaper earlier later different big small red blue medium large "
    "lemon")
ONE_COUNTS = word_set("for just only need want book reserve make it is")
# "one moment": no count, no duration
IDIOMS = word_set("moment sec another thing way minute second")
SPELLED_ORDINAL_HEADS = word_set(
    "floor street avenue grade row attempt place level birthday anniversary")
ABBREVIATIONS = word_set("dr mr mrs ms st no vs inc ltd co jr sr approx dept ext est apt ave rd")
FUNCTION_WORDS = word_set(     # what may stand behind "the 14th": anything else makes it "the 14th floor"
    "at in on of for to is was works would will and or but if please then from until till by with about "
    "instead that which when so not it i we you he she they has does can could sounds looks around after "
    "before between through thru also too as because")

FOLDS = {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2032": "'", "\u201c": '"', "\u201d": '"',
         "\u2026": ".", "\u2022": "\n", "\u25cf": "\n", "\u2023": "\n", "\u2028": "\n", "\u2029": "\n",
         "\u20ac": "\xa4", "\u20b9": "\xa6", "\u20a6": "\xa8", "\u20b1": "\xac", "\u20a9": "\xaf"}
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\xad"
PRICE_CUES = word_set(
    "cost costs price is at comes to charge fee for rate pay paid total about around")
NUMBER_WORDS = frozenset(CARDINALS) | frozenset(SCALES) | frozenset(REPEATS) | frozenset(COLLECTIVES)
HALF_LINKS = word_set("in the at this that on tomorrow today next of same tonight every each")

ENGLISH = word_set(             # words that nearly every English utterance has one of
    "the and you your to of for is it that this i we have with what will are be can my yes at on in thank "
    "thanks please hello hi okay would there how do not was they s m ll re ve if from all just but here know "
    "about so out up get like")
ENGLISH_WORDS = ENGLISH | NUMBER_WORDS


# ------------------------------------------------------------------------------------- lexicon: speech
# Words that carry grammar. Each stands here once, under its classes; a row of SAID names a class as @class. No clause
# is about one of them.

GRAMMAR_TABLE = """
not: not no never none nothing nobody neither nor hardly nae
not cant: cannot can't cant couldn't couldnt won't wont wouldn't wouldnt shouldn't shouldnt unable cannae
not dont: don't dont doesn't doesnt didn't didnt dinnae
not isnt: isn't isnt wasn't wasnt aren't arent weren't werent ain't aint
not havent: haven't havent hasn't hasnt hadn't hadnt
me: i we me us
my: my our mine ours myself ourselves
you: you yourself youse
your: your yours
they: he she they him her them himself herself themselves
their: his hers their theirs its
that: that this it these those there here itself
the: the a an
some: any each every another some all both either other others such same own most more less least many \
much few one ones
be: is are was were be been being am s re m
have: have has had ve having
do: do does did
would: would d
will: will ll shall gonna
can: can could able
may: may might must should ought
wh: what when where who whom whose which how why whatever whats
if: if unless whether
stop: and but or so because cos cause although though while whereas however since as until till
filler: really just also actually still now please quite afraid honestly well um uh er erm like only even \
again already later soon ever too very yet
filler stop: then
to: to
near: without of in on at by for from into onto with within over under up down off out about around after \
before between during through per via back than
go: get got go goes going gone come came let lets put take took make made give gave given
"""

# What people do with words, in a call and in a summary alike: `what, scope: phrases`. a|b: either; x?: or nothing;
# @x: a word of the class; ~x: a word of that stem; $: what ends its clause. Fillers pass inside any phrase. Scope ^: at the head of a
# sentence or clause; .: anywhere; >: it colours what follows in its clause.
SAID_TABLE = """
yes ^: yes, yeah, yea, yep, yup, ya, aye, correct, exactly, absolutely, definitely, certainly, precisely, \
sure, for sure, of course, indeed, true, agreed, deal, perfect, @me do|am|will|can|did $, @that @be? \
right|correct|fine|definite|true, @that do|does|is|will|works|suits $, go on|ahead, please do, do @that, \
why not, you bet, you got it, by all means, spot on, go for it, @not \
problem|problems|worries|trouble|bother, no @that s|is|works|suits? fine|good|okay|ok|great, no not at \
all, not at all, no none at all, all correct|right|good, yes please, @that s|is all? right|correct
ok ^: okay, ok, k, alright, all right, right, great, fine, lovely, good, grand, brilliant, excellent, \
wonderful, cool, super, nice, understood, got it, noted, mm hm, uh huh, mhm, will do, fair enough, @that \
@be? fine|great|good|okay|ok|grand|lovely|perfect|brilliant, sounds good|great|fine|right|lovely|perfect, \
gotcha, ace, fab
ok ^: cheers, thanks, thank you, oh, ah
close ^: no|nope|nah @that|thats s|is|ll? it|all|everything|be|do?, no nothing, no thats \
it|all|everything, that s|is|will be? all|it|everything, nothing else, no more? thanks? bye, @that s|is \
for now, no @me m|am good|fine|okay|all|set, no idea|charge|fee|rush|matter|doubt|need|one
yes .: s|is|are|be|ll fine|good|great|perfect|okay|ok|grand|lovely|definite|right|correct, \
sounds|works|suits fine|good|great|perfect|lovely|well|right|okay|ok, @be fine|good|great|perfect|okay|ok \
for|by|with @me, @that works|suits, works|suits|grand for|by @me, @me ll|will take|come|go, @me ll be \
@that, put|count|sign @me down|in|on|up, see you, keep|book|reserve|hold it|that|them, let s|us do|go|say, \
lets do|go|say, go for|with, @me accept|agree|confirm|approve, @me can confirm, do it|that, lock it in, it \
is $, looking forward, can do @that, can make @that, @that|it is|s then, still on|good|fine|happy|okay, \
@me d|would love @that|to, yes @me ~confirm
no ^: no, nope, nah, naw, no thanks, no thank you, not really|quite|yet|today|now, never, \
absolutely|certainly|definitely|afraid|unfortunately not, wrong, incorrect, i d be no, sorry no, yeah|yes \
no, @me @can? @not $, @me @not $, @me m|re not $, @me am|are not
no .: answer @be no, rather not, not for @me, @not interested, call @that|it|the off, ~change @my|his|her mind, \
@not this time|year|week|month, @me @can? @not \
do|make|attend|manage|commit|afford|accept|take|cover|come|offer|waive|stretch|go, have|need|going to \
pass|decline|cancel, @me ll pass, @me ll leave it, @not @do|want|need it|that|the|to|any, @not going to, \
out of the question, count @me out, turn|turned it|that|the|them down, no way|chance, sticking with, no \
longer want|need|interested, give it|that a miss, something came up, forget it|that|about, @me @can? @not \
$, @not work for @me, d|would rather @me? not|keep|stay|stick|you|just, @not happy, love to but, had|have \
to stop, take @me|@my off, be no, wrong number|person, @can? @not go|do any|that lower|low|higher|high, \
cancel it|that|the|everything, @not coming, @not be coming|attending|joining, pull|back|drop out
open ^: maybe, perhaps, probably, possibly, hopefully, depends, @that depends, hmm
open .: maybe, perhaps, probably, possibly, hopefully, @me might|may, @that might|may, @not \
sure|certain|positive, have|need|got|want|let|ll|like @me? to? think|check|ask|see|talk|decide, @not \
promise|promising|guarantee|guaranteed|promised, @can? @not say|swear|guarantee|confirm, @dont want to? \
promise, no promises, get|come|ring|call back to? you, let you know, ~depend on, it|that depends, @not \
confirmed|final|decided|checked|official, to be confirmed, ~provisional, ~tentatively, subject to, \
~pencil, fingers crossed, @dont count|hold on|me, hoping|hope for|to|about|it, @be likely, with luck, \
should be|do|arrive|come|have|work|suit, could be, if @me can, @not up to @me, only if, as long as, \
~provide that|the, waiting on|for, talk it|that over, speak|talk|check with|to @my, run it|that by|past, \
@me ll see, wait and see, see how @that|@me, @me think so, i guess|suppose|reckon, sounds interesting, \
would|d have|need to, until @me|they|the|@my, still deciding, all being well, in principle, on condition, \
@not until
gone .: gone, full, taken, fully? booked up|solid|out, fully booked|committed, sold out, too \
late|early|expensive|long|far|much|dear|steep, @not free|available|possible|in|open|left, no longer, \
closed, @not have|got @that|any, out of stock, nothing left|available|free, clash, clashes, @not good, \
chock a block, @not work|suit|do, @not @be available|able
instead >: instead of, rather than
fail .: @be declined|rejected|refused, @not go|went|gone|going through, @not working, @not \
connect|load|start|help|accept, still red|down|out|dead, @not luck, went wrong, timed out, an? \
error|problem|issue, ~fail, ~unsuccessful, @not successful, @can? @not ~complete|~process|place, @not \
able, @can? @not be made|booked|done|placed|completed|processed, @can? @not \
make|book|complete|process|reserve|schedule|place|rent|find|get, same thing, still the same, @have @not \
been able, @be unable, no luck, ran into
close .: @not need any? more|anything|help|assistance|further, @not @that s|is all
none .: @that s|is no problem|problems|worries|trouble|bother, @me ll pass that|it|this|them|on|along, see you later|soon|around, @can? @not have done|asked|been, @me @not know|mind|think so?, never \
mind, @not wonder|doubt|only|just|least|more than, @me @not see why not
fix .: sorry, @me mean|meant, scratch|strike that, make it|that, or rather, my mistake, no wait, wait, \
hold|hang on, correction, actually, apologies, @not @that, that was wrong, got @that wrong, tell a lie, it \
s|is now
done .: @have|be|been|that|s|just|all done, done @that|for, done $, all set, you re|are \
in|down|booked|set|sorted, s|is|are|re down for|in|as, popped|squeezed|slotted|written|pencilled \
you|him|her|them in?, put|got|have you|him|her|them|@me down|in, @be \
sent|placed|made|noted|sorted|arranged|ready|complete|completed|ordered|through|processed, went|gone \
through, it s|is working|back|done|yours, @have made|placed|ordered|sorted, on its|the|my|his|her way, on \
it s way, ~successful, taken care of, look forward to, works now, that did it, @be|s its on, that s|is \
you|in|gone
else .: anything|something|anyone else|more|further|changed, anything @they|@you|@me, any \
questions|question|other|further|changes, what else, @can|may @me help, how @can|may @me, help|assist you \
with|out|further, who s|is this|speaking|calling, is this a? good|bad|right, good|bad time, hear me, are \
you there, speak|speaking|talk with|to, have|got a moment|minute|sec|second, can i take|get|have your, \
what s your, have a question, still there, quick question, @can you hear, more questions
wh ^: @wh, and @wh, how many|much|long|far|soon
offer ^: how|what about, would you like, do you want, shall @me, should @me, @can|would you, @can @me, is \
that|it okay|ok|all|alright|right|correct|good|fine
not >: @not
if >: if, unless, whether, provided, until, once, in case, should it|you|he|she|they|the, depending, \
subject to, @not until
wish >: ~ask, ~want, \
wanted|called|tried|trying|hoping|hoped|attempted|calling|order|plan|planned|planning|needs|need|needed|wished|rang|like|due \
to, ~request, ~inquire, ~enquire, ~suggest, ~propose, ~recommend, ~offer, ~discuss, interested in, about \
to, ~prefer, option, ~consider, ~attempt, ~remind, ~encourage, ~regard, in order to, try, tries, how to, \
~reason, ~advise, ~instruct, ~tell, trouble
why >: because, since, cos, cause, after, before, when, as
will >: @will, going to, ~agree to, ~promise to, ~commit to, ~undertake to, is|are to, set to, @will be
recorded *: as dialed, as dialled, call cannot be completed, please hang up, not accepting calls, didn't \
get that, make a selection, make your selection, invalid selection, not a valid, invalid option, all of \
our, estimated wait, estimated waiting, waiting time, visit our website, your call will be answered, try \
again later, leave a callback number, is unavailable, cannot be reached, voicemail, voice mail, answering \
machine, mailbox, leave a message, leave me a message, leave us a message, leave your message, leave your \
name, leave a brief, leave a short, leave a detailed, leave your number, leave your details, leave a \
voice, leave your contact, after the tone, after the beep, at the tone, at the beep, sound of the tone, \
the tone, the beep, record your message, record a message, record your name, come to the phone, unable to \
take your call, unable to answer, can't take your call, can't answer your call, take your call right now, \
take your call at the moment, missed your call, return your call, get to the phone, call you back as soon, \
get back to you as soon, can't pick up, can't get to, press one, press two, press three, press four, press \
zero, press 1, press 2, press 3, press 4, press 0, press pound, press the, or press, press any, main menu, \
following options, menu options, menu has changed, options have changed, listen carefully, state your \
name, say your name, tell me your name and, reason for your call, reason for calling, in a few words, you can say things, enter or say, say or enter, \
message has been kept|saved|sent|recorded, end of message|messages, para espanol, reason why you re \
calling, why you re calling, who s calling and why, your call is important, remain on the line, stay on \
the line, next available agent, next available representative, next available operator, number you have \
dialed, number you have dialled, number you dialed, number you dialled, not in service, mailbox is full, \
not accepting messages, person you are calling, person you re calling, person you are trying, person you \
re trying, party you are trying, customer you are calling, subscriber you, dial by name, if you know your \
party, know the extension, call is being recorded for, call may be recorded, call may be monitored, being \
screened, is being screened, call screening, see if this person, see if they re available, automated \
attendant, has been forwarded, been forwarded to, your call has been, wait for the beep, wait for the \
tone, hang up or
reached *: offices are closed, call back during, you have reached, you ve reached, you ve got, away from my phone, away from the phone, away from my desk, please \
hold, currently closed, we re closed, closed at the moment, closed right now, our hours are, our office \
hours, our opening hours, office is closed, outside of business hours, opening hours are, business hours, \
for sales, for appointments, for reservations, for bookings, for billing, not available right now, i m not \
available, we re not available, ring you back, call you back, thank you for calling, thanks for calling, \
no one is available, nobody is available, not available to
human *: how can i help, how may i help, how can we help, how may we help, what can i do for you, can i \
help you, may i help you, speaking, who s this, what did you say
maybe >: @may, maybe, perhaps, possibly, hopefully, likely, ~hope, ~think, ~thought, would, could, can, \
~appear, ~seem, ~potential, ~provisional, ~tentatively, ~estimate
must >: must, has|have|had to, @be required to, ~remind to
"""

# Deeds, promises and outcomes: `root sign family: how it is told | by which words of a call it may be meant`. Sign +
# tells that a matter goes ahead, - that it does not, * a state of the call, = a deed or promise of its own.
DEEDS_TABLE = """
confirm + consent: ~confirm, ~verify, reconfirmed, ~keep, kept
accept + consent: ~accept, ~agree, ~approve, ~consent, opted for, chose, chosen, selected, committed, \
signed off, granted, said yes, went with|ahead, settled on, agreeable, okayed, \
gave|give|given|gives the|his|her|their|its? go ahead, \
gave|give|given|gives the|his|her|their|its? ok|okay|consent|approval|permission|blessing
book + consent: ~book, ~reserve, ~schedule, ~purchase, bought, ~arrange, secured, locked in, ~pencil in, \
put down for, signed up, enrolled, ~enrol, ~register, placed an? order, order @be? placed, \
appointment|reservation|booking|order|visit @be|@have|been made|set|placed, payment @be set, set up, \
rented, hired
reschedule + change: ~reschedule, moved, ~postpone, rebooked, pushed back, put back to|until|till|by|from, brought forward, \
changed to, shifted | move change switch swap push instead shift another bring bump rather \
different
complete + done: completed, finalized, finalised, settled, went|gone through $, ~successful, processed, \
resolved, fixed
waive + waive: ~waive | off free forget drop remove skip let courtesy goodwill refund won't knock scrap \
charge
pay + pay: paid, ~pay, payment @be made|taken|processed | payment card cash transfer money charge cost due \
settle cover owe dollar pound euro bill debit price rate fee quid buck
cancel - cancel: ~cancel, called|call off, call it|the|that off, ~withdraw, ~withdraw, \
pulled|backed|dropped out, scrapped, taken off the list|rota|schedule|sheet, discontinued, \
take|took|taken|leave it|that|you|him|her|me|us|them off, name off | stop end drop scrap quit refund \
forget
decline - refuse: ~decline, ~refuse, ~reject, turned|turns|turning it|down|that|them down?, @not \
interested, said no, ~decide against|not, opted not|out, chose not, passed on, ~object, @not want|wish to, \
backed away, @not go ahead, go|goes|going|went|gone with another|someone|somebody
fail - fail: ~fail, ~unsuccessful, @not go through, @can? @not be made|completed|booked|processed|found, \
@be @can? @not to
unavailable - gone: fully booked|committed, sold out, out of stock, ~unavailable, @not available, no \
availability|openings|vacancies|tables|rooms, @be full, booked up|out|solid
voicemail * voice: ~voicemail, voice mail, answering machine, ~mailbox, recorded|automated \
greeting|message|voice, a machine | message tone beep record
no-answer * silent: @not answer, @not pick up, unanswered, @not reached, @not respond, rang out, \
unreachable, @can? @not be reached, hung up before, nobody answered|picked, no one answered|picked
opt-out * optout: ~unsubscribe, do not call, @not to? be? ~call|~contact, stop calling, @not further|more \
calls, off your|the|that? ~call|calling|mailing|contact? list, opted out of calls, ~remove @their|@my|the \
number, calls to stop, number removed, take|took|taken me|us|him|her|them|@my name? off your|the|that list \
| stop remove unsubscribe list
wrong-number * wrong: wrong number|person, number @be wrong, incorrect number | wrong
email = email: ~email, ~emailed, e ~mail | email mail inbox dot
mail = mail: ~mail, ~post, in the post|mail, by post|mail | post mail letter envelope stamp
text = text: ~text, sms, ~message, ~whatsapp | text message sms ping whatsapp
send = send: ~send, sent, resent, ~forward, ~share | send sent email mail post text forward link share \
ship drop fax message get give
call back = contact: ~call|~ring|phone|phoned|phones|phoning back|again, ~callback, rung back, \
return|returned the|his|her|their call, @will|@be ~call|~ring|~phone, try again | call ring phone buzz \
bell touch contact
follow up = contact: ~follow up, followup, check in|back | follow check call ring back touch contact \
update hear
contact = contact: ~contact, in touch, ~reach out, get back to | call ring phone touch contact message \
email text back hear speak reach
transfer = pass: ~transfer, ~connect, put him|her|them|it|the call? through, ~escalate, patched through | \
transfer through connect escalate supervisor manager senior colleague hold hang line get pass put over
refund = refund: ~refund, ~reimburse, money back, ~credit, ~compensate | refund money back credit \
reimburse voucher compensation goodwill
ship = ship: ~ship, ~dispatch, ~despatch, on its|the way | ship dispatch send sent courier deliver way van \
post driver
deliver = ship: ~deliver, brought, ~bring, drop|dropped off | deliver delivery bring drop send come \
courier arrive van get
collect = collect: ~collect, ~pick up, ~fetch | collect pick fetch get come pickup collection
update = change: ~update, ~amend, ~change | update change correct new amend put edit instead switch move \
rather swap different
notify = tell: ~notify, ~inform, ~alert, let know, ~pass on, ~relay | tell let know notify inform message \
pass text email call alert update
ask = ask: will|ll ask, ~check with, ~consult, ~speak to|with, ~discuss with | ask check speak talk see \
consult find run mention
check = ask: will|ll check, ~look into, ~investigate, find out | check look see find ask investigate \
verify confirm
provide = give: ~provide, ~supply, ~issue | give provide get supply send have offer issue new bring
visit = come: ~visit, ~attend, come|comes|coming out|over|by, stop by, drop by | visit come round out over \
attend see drop stop appointment call
file = log: ~file, ~lodge, ~log, ~raise, ~open a|an|the|his|her|their, ~submit | log raise file open \
report ticket case claim complaint note put submit form reference record create
charge = charge: ~charge, ~bill, ~debit, ~invoice | charge bill card fee cost pay debit invoice price rate \
owe due deposit
reset = reset: ~reset, ~restart, ~reboot | reset restart reboot off password turn switch
refer = refer: ~refer | refer referral send pass specialist
block = block: ~block, ~freeze, froze, frozen, ~suspend, ~deactivate, ~pause, ~lock | block freeze stop \
cancel lock suspend hold pause skip
unlock = block: ~unlock, ~reinstate, ~reactivate, ~activate, ~restore | unlock open activate back restore \
reset on again switch working
upload = upload: ~upload, ~attach | upload send attach portal photo
hold = hold: ~hold, set|put aside
add = add: ~add, added, ~include, put on | add put include list on extra throw plus note stick with join
order = book: ~order, reordered | order get buy stock supplier need deliver part send put
replace = replace: ~replace, ~swap, ~exchange | replace replacement swap new exchange another change fit
repair = repair: ~repair, ~mend | repair fix mend replace sort fit service
install = repair: ~install, ~fit | install fit put set download mount
upgrade = upgrade: ~upgrade | upgrade bigger premium faster
renew = renew: ~renew, ~extend, ~extension | renew extend longer continue another extra until further more \
keep stay year auto
sign = sign: ~sign | sign signature contract docusign initial
apply = apply: ~apply | apply application off discount credit code form put submit
assign = assign: ~assign, ~allocate | assign give put named allocate
note = note: ~note | note write put jot record down mark
deduct = deduct: ~deduct, ~subtract | deduct off minus take
remove = remove: ~remove, ~delete, ~erase | remove delete off drop wipe clear out cancel
record = record: ~record | record note log write message
print = print: ~print | print paper copy
release = release: ~release | release let hold free
switch = change: ~switch, ~convert | switch change move swap
mark = mark: ~mark, ~flag, ~prioritise | mark flag note urgent priority put
"""

IRREGULAR_FORMS = """
apply/appl applies/appl supply/suppl supplies/suppl reply/repl replies/repl note/notat notes/notat noted/notat
noting/notat paid/pay sent/send told/tell bought/buy left/leave took/take taken/take gave/give given/give
brought/bring held/hold lost/lose met/meet rang/ring rung/ring sold/sell spoke/speak spoken/speak
written/write wrote/write chose/choose chosen/choose broke/break broken/break drove/drive driven/drive
ran/run fell/fall found/find kept/keep stuck/stick caught/catch grew/grow led/lead meant/mean
slept/sleep spent/spend stood/stand understood/understand woke/wake children/child men/man women/woman
feet/foot teeth/tooth flew/fly lives/live wives/wife put/put made/make cancelled/cancel
cancellation/cancel canceled/cancel shipped/ship rebooked/rebook
"""

ENDINGS = tuple(("ations ation ments ment nesses ness ingly edly ings ing ied ies iest ier est ers ed es ly s ions ion al "
                 "ive").split())

INFLECTIONS = frozenset([""] + """
d e n r s y 't al ed en er es ly rs bed ded ers ess est ged i's ied ier ies ily ing ion ive led med ned
ped red t't ted able bing ding ging iest ions ling ment ming ness ning ping ring ting ation ments ations
""".split())

SOUNDS_ALIKE = [pair.split() for pair in """
^wr r
^geo je
tch ch
ph f
ght t
wh w
kn n
gn n
c(?=[eiy]) s
ck|[cq] k
x ks
z s
v f
dg j
sch|tch|sh|ch x
th t
mb\\b m""".strip().split("\n")]

TELLING = word_set("""
able accept accepted action actions additional advise advised afternoon agent agents agree agreed ai
approximately arrange arranged arrangement ask asked asks assistant automated available behalf call
called callee caller calling calls checked choose chose chosen client complete completed concerning
confirm confirmed confirms contact contacted conversation current currently customer date day decline
declined department detail details discussed discussion dr due earlier employee end ended enquiry
evening expected explain explained extra first follow-up followup guest handle handled help helped hour
hours human include included including inform information informed inquiry instructions issue key
learned likely main manager maximum member members mention mentioned minimum minute minutes miss month
mood morning mr mrs ms name named need needed needs negative neutral next note noted notes offer offered
office operator opted order outcome overview party passenger patient person phone phoned plan planned
policyholder positive possible prefer preferred previous proceed provide provided purpose rang reach
reached reason receive received recipient refuse refused regarding remain remained remaining remains
report reported representative request requested resident resolution resolved rest result said say says
schedule scheduled second selected sentiment set speak speaking spoke staff stated status step steps
subject summary supplier team telephone tell tenant thanked third time times today told tomorrow tone
topic total unable use used user using virtual want wanted wants week whole year
""")

CALENDAR = frozenset(MONTHS) | frozenset(WEEKDAYS) | frozenset(RELATIVE_DAYS) | word_set(
    "christmas easter halloween diwali ramadan eid")

EVERYDAY_STEMS = word_set("""
abl about abroad absolut accept acces accident accord account acros act actual add addres admit adult
advertis advic affect afford afraid aft afternoon afterward again against age ago agr ahead ai aid air
all allerg allow almost alon along alread alright also altogeth alwa am amaz amount an and angr anno
annu anoth answ any anybod anymor anyon anyth anywa anywher apart apologiz app appear appl applic
appoint appreciat approv are area aren't argu arm around arr arrang arriv art articl as ask asleep
assist assistanc assistant at ate attend attent aunt automat automatical availabl avoid awa awful bab
back bad bag bak band bank bar bargain bas basical basketball bath batter be beach bear beat beautiful
becaus becom bed bedroom beef been beer befor begin behalf behind being believ belong below benefit best
bet between bicycl big bik birth birthda bit black block blood blu board boat bod boil book boot bor
born borrow bos both bottl bowl box boy boyfriend brak branch brand break breakfast breath bright bring
broth brown brows buck budget build built burn bus but button buy by bye cabl cak calendar call calm cam
camera camp campu can can't cancel cannot cant capacit car card careful carr cas cash cat catch caus
celebrat cell centr certain certificat chair chanc chang charact charg chat che cheap check chicken
child chip chocolat choic choos church cinema claim clas class clean clear click client climb clos cloth
cloud coat cod coff cold colleagu collect colleg color colour com comfortabl common compan compar
complain complaint complet complicat comput concern condit condition conferenc confirm confus congratul
connect consid consider consum contact continu contract contribut convenient convers cook cool cop corn
correct cost cough could couldn't count countr coupl cours cousin cov cover craz cream creat credit cros
crowd cultur cup current custom cut dai damag danc dangerou dark darl dash dat daught day deal dear
decid decis decorat deep definit dela deliciou deliv deliver depend deposit describ deserv design desk
dessert detail determin develop dial did didn't died diet differenc different difficult digit din direct
dirt disabl disappoint discount dish displa divid divorc do doctor docu doe doesn doesn't doesnt dog
doing dollar don don't dont door dot doubl down downstair downtown draw dream dres dress drink driv
driver' drop dry due dur dut each ear earl earn earth eas eat economic effect egg eh eight eighteen
eighteenth eighth eith electric elevator eleven els em email emergenc emplo employ enabl end engin enjo
enough ent entir entranc env environ equip error especial estimat etc even event ever everybod everyda
everyon everyth everywher exact exam exampl excellent except excit excus exercis expect expens experienc
expir explain extern extra eye fac fact factor fail fair fall fam familiar famou fan fantastic far fast
fat fath fault favor favorit fax fee feel fev few field fift fifteen fifth fight figur fil fill film fin
final financ find fing finish fir firm first fish fit fiv fix flat flight floor flow flu fly follow food
foot for foreign forget forgot forgotten form fort forward four fourteen fourteenth fourth fre freez
fresh fri fridg friend from front fruit frustrat ful full fun function funn furnitur furth futur gam
garag gas gener general get gift girl girlfriend giv glad glas glass go goal goe going gon gonna good
goodby got gotta gotten govern grab grad graduat great green ground group grow guarant gues guest guid
guy gym habit had haha hair half hand handl hang happ happen hard hardwar has hasn't hat hav haven't he
he' he'd he'll head health hear heard heart heat heav hell hello help helpful her hes hesitat hey hi
high him himself hir his histor hit hm hold holida hom hon hone honest hop horribl hospit hot hour hous
how hug human hundr hungr hurr hurt husband id idea identif if ill imagin immediat impact important
impress improv in includ inconvenienc incredibl indicat industr influenc inform injur insid install
instead insuranc inter interest interview into introduc invest invit invoic involv is isn't issu it it'
it'd it'll item its itself jacket job join jok juic jump junior just keep key kid kill kind kinda
kitchen kne knew know known lab lad lan languag laptop larg last lat laugh law laz lead learn leas least
leav leg lemm lend les lesson let let' librar licens lie lif lift light lik limit lin link list listen
littl liv load loan loc locat log long look los lot loud lov low luck luggag lunch ma'am maam machin mad
magazin mail main major mak man manufactur map market marr marriag mat match material maximum may mayb
me meal mean meantim measur meat medic medicin medium meet memb membership memor ment menu messag met
metr middl midnight might mil milk min mind minimum minut miss mistak mix mobil model modern moment mone
monitor month mood mor morn most moth mouth mov movi much multipl mum music must my myself nah nam name'
natur near nearb necessar need neighbor neighborhood nervou network nev new newspap next nic night nin
ninet nineteen nineteenth ninth no nobod nois non noon normal nos not noth notic now nowher numb nurs
o'clock of off offer offic often oh ok oka old on onc one onl onlin open operat opportunit opt option or
orang ord order organiz origin oth our ourselv out outsid over overall overnight overtim own pack packag
pad pag pain paint pair pal pap parent part particular partn pas pass passeng passport past patch
patienc patient pay pencil peopl per percent perfect performanc perhap period person phon photo physic
pick picnic pictur piec pin pit pizza pla plac plan plant plat pleas pleasant pleasur plent plu plug
pocket point polic pool poor popular port posit possib possibl post potato pound pow practic pref prepar
pres prescript present press pressur prett previou pric print privat probab problem proces product
program project promis promot prop proper propert proud provid public pull purchas put qualif quart
quest question queu quick quiet quit quot rac radio rain rais rar rat rath reach react read real realiz
reason reasonabl rec receipt receiv recent recept recogniz recommend record red reduc referenc refund
regist register registr regular relat relationship relax releas rememb remind remov renew rent rep
repair repeat replac report requ requir research reserv resolv resourc respect responsibilit responsibl
rest restart restaurant restor result return review ric rich rid right ring rip ris risk roll room rough
round row rud rul run rush sad saf said sal salad salar sam sandwich satisf sav saw say scan scar
schedul school scienc screen search season seat sec second secretar sect secur see seem seen select self
sell semest send senior sens separat ser seriou serious serv set settl seven sevent seventeenth sever
shall shar she she' she'd she'll sheet shelf shift shin ship shirt sho shop short shot should shouldn't
shout show shut sick sid sign significant similar simp simpl sinc sing singl sir sist sit situ six sixt
sixteen sixteenth sixth siz skill skip sleep slip slot slow small smart smell smok snack so soc sofa
soft softwar solv som somebod someon someth sometim somewher soon sorr sort sound soup spac spar spe
speak spec spend spic split sport spot spr spread sta staf stamp stand star start starv statu steak step
stick still stolen stomach ston stop stor storag storm straight strang strateg strength stretch strip
strong stud student stuf stupid styl subject subwa succes successful such suck sudden sug sugar suggest
suggestion suit sum sun sunn sup supermarket supervisor suppl support suppos sur surpris surv sweat
sweet sweeti swim switch system tabl tablet tag tak talk tall tap tast tax tea teach team technician
technolog telephon tell temporar ten tenant tenth term terribl test text than thank that that' that'd
the their them themselv then ther there' thes they'd they'll they'r they'v thi thing think third thirt
thirteenth thirtieth thos though thought thousand thr through throw ticket tie tight til till tim tip
tir to toda today' togeth tomorrow tonight too top tot total touch tough tour town track tradition
traffic train transf transfer transport travel tre treat tri trip tripl troubl troubleshoot tru truck
truth try turn twelfth twelv twent twentieth twic two typ typic uh um uncl und understand unles
unnecessar until up updat upset urgent us use used useful using usu usual vac van variou vegetabl vehicl
ver via video view villag virtu visit wait walk wall wallet wanna want warm warn was wash wasn't wast
wat watch way we we'd we'll we'r we'v weak wear weath web websit wed week weekend weight welcom well
went wer wet what what' whatev when wher wheth which whil whit who who' whol why wif will win wind wing
wint wir wish with within without woman won won't wond wonder wonderful wont wood wor word work world
worr wors worst worth would wouldn't writ wrong ya yeah year yellow yep yes yesterda yet yoga you you'd
you'll you'r you'v young your yourself yuan zero
""")

NOT_NAMES = word_set("""
associate chief deputy director executive foreman general head managing manager officer operations president
regional sales senior vice warden
a a.m additionally adv agent ai am american apartment api app approx apt arch asap asst atm atty ave
avenue avg bank big bldg blk boulevard box british building caller capt cctv center centre ceo cfo
chinese clinic close co college company court crescent customer department dept despite diy dob dr drive
east eastern english engr est eta etc eu eur european ev excl ext false faq fi flat floor flr french
furthermore gb gbp german gp gps great group hd hdmi hospital hotel house hr hvac i id inc incl indian
inr insp irish it italian ivr japanese jr kg km lane lcd led limited little llc lower lt ltd lvl mac
madam max mb mbps mdm meanwhile mgr min miss missus mister mob mot mr mrs ms mt n na new nhs ni no north
northern office ok old p.m pc pdf pin place plc pm po postcode practice prof pta pto qr qty rd ref
reference restaurant rev road room rs rsvp saint school scottish sec service services sgt shop shri sir
sms smt solutions south southern spanish square sr sri ssn st ste store street suite supt surgery sw
systems tbc tbd tel terrace true tv uk unfortunately unit university unlike upper url us usa usb usd vat
via vpn vs way exit freeway highway motorway ghz khz ksh kshs kwh mah mhz nm route west western whilst wi wifi zip zipcode
""")

OPENING_WORDS = word_set("""
entry entrance exit admission postage pickup drop kickoff doors gates starters mains
absence absences access accountant turnaround strike acknowledgement acknowledgment activation additionally adoption
affidavit afterward afterwards agreed agreement alarm alert allergies allergy alteration alterations
alternative alternatively alternatives ambulance amplifier anaesthetic anchor anesthetic anniversary
antivirus anyone anything apology apparently appeal appetizer appetizers appliance appliances applicant
aquarium architect armoured arrangement arrangements asked athletics attendance attendees attorney
auditor authentication authorisation authorization availability babysitter backdrop background backorder
bacon baggage bail balcony balloon balloons ballot ballroom bandage bandwidth banner banquet baptism
barley barrister bartender basin battery beehive beneficiary berth billing biopsy blind bloodwork blouse
boiler bonus booked bookkeeper booster both bouncer bouquet braces brakes breakfast bride bridesmaid
bridesmaids broadband brochure bruise brunch buffet bumper burglary burial bursary busboy cache callback
called canape canapes cancellation candidate candles canvassing capsule car cardiologist caregiver cargo
carpark carpet cars carton cartridge catalogue caterer catering cattery cattle cause ceiling cement
cemetery certification charity check-in checkout chef chimney choir christening claimant classroom
clearance clerk clinic clutch coach coaching cockroach coffin collar collection color colour combine
commission compensation complaint complaints compost concert conclusion concrete condition conditions
condolences confirmation confirmed congregation congress consent consequently consignment container
context contractor copay copayment cotton council councillor counseling counselling coupon courier
coursework court cover coverage crack crate cremation crib crown cruise crutches curb curry curtain
cushion custody customs cycling dairy damage damp date dates daycare deactivation deadline deadlines
decision decisions declined decorations decorator deductible degree delivery demolition demotion dent
dental dentist denture deposit deposits depot dermatologist desktop detergent diagnosis diesel dinner
diploma directions discount discounts discussed dishwasher disinfectant dispatch distributor dizziness
dock documents dolphins donor dosage downgrade drain drink drinks driver driveway drop-off dropoff
drought drywall duration earbuds either election electrician electricity eligibility embroidery engineer
enrollment enrolment equipment escalation estimate estimates evacuation eventually everyone everything
excavation exception exceptions excess exclusion executor exemption exhaust expects extinguisher
eyesight fabric farrier faucet fault faults fee feedback fees fence fencing ferry fertiliser fertilizer
fiance fiancee fibre finally firewall firmware fixture flood flooding florist food footpath foreman
forklift fracture franchise franchisee freight frost frosting fuel fumigation fundraiser fundraising
funeral furnace furnishings furthermore fuse gardener gardening gas gasoline gate gazebo gearbox
generator gloves gluten goal goat goldfish goodwill gown grain granddaughter grandfather grandmother
grandparent grandson grants gratuity gravel greenhouse greeting groom groomer grooming guarantee guard
guardian gutter gymnastics halal half hamster harbor harbour harvester headache headcount headlight
headset headteacher heating hedge hedges helmet homework honeymoon hoodie hopefully hopes horse hose
hygienist icing identity inclusion induction infant inheritance initially injection inspector
installation installer instalment instructions insulation internet intruder inventory inverter invoice
invoices ironing jeans jersey kennel kerb kettle keyboard kindergarten kitten knitting kosher labor
labour labourer ladder landlady landlord lastly laundry lawn lawyer layaway leaflet league leak leakage
leash leather left lens lenses levy licence lifejacket limit limits linen lives livestock lobster
location locksmith login lorry lunch mailbox maize make malware manual marquee material materials
matinee mattress mayor meanwhile mechanic medal medication membership memorial menu mice microphone
microwave midwife mileage minibus model modem mold mooring moreover mortgage most mould mourner mouse
mulch musician nausea needs neighbour neither nephew nevertheless niece nobody none nonetheless
nonrefundable noodles notarized note notes nothing notification nursery nuts obituary objective
occupancy odometer offer offered offers ointment onboarding optician option options orchard orchestra
otherwise outage oven overall overdraft padlock paediatrician pallet panel paperwork paralegal parcel
parish parking parliament parrot parts password pasta patrol pavement payday payment payments payroll
peanut peanuts pediatrician penalties penalty pension permit pest pesticide petrol pharmacist pharmacy
photo photographer photos physiotherapy pickup pillow pipe plans plaster plate playground plumber
plumbing plywood policy polish pony pork poultry prawn preference preferences prefers pregnancy premium
prepaid presently presumably previously pricing principal probate probation probationary projector proof
psychologist pump puncture pupil puppy pushchair qualification questionnaire quote quoted quotes rabbit
radiator radiology rash rate rates rating reason reasons rebate receptionist recital recruiter
redundancy referee referral refill refreshments refund refundable refunds refurbishment registration
rehearsal reinstatement remark remarks reminder reminders renewal renovation repair repairs replacement
reported requested requirement requirements resignation respondent restock restriction restrictions
results resume retail retailer retake retirement ribbon roof roofing rope roses roster rota router rust
saddle sail salesman salesperson salmon sandals sanding sausage savings says scaffold scanner scarf
schedule scholarship scratch seafood seating seats security seedling senator sermon several sewer sewing
shed sheep shellfish shipping shrub shuttle signage signal signature silage silk size sizes skirt
slippers sneakers snow socket solicitor someone something souvenir soybean spectacles spoke spouse
sprain sprinkler stable stage stain staining steering stepdaughter stepson stitches stock storage stove
straw stroller subcontractor subject sublet subscription subsequently suede suitcase summary
superannuation supplies surcharge surcharges surgery survey surveyor suspension swelling swimmer
syllabus symptoms tailor tailoring tank tardiness tariff tax taxes technician tenancy tent termination
termites terms test tests thankfully theft therapist thereafter thermostat tide timber time times
timetable tip tips tires toddler toilet told toner tools toothache topic tournament towel towels towing
tracking tractor traffic trailer transcript transfer transferred transport travel treatment tribunal
trophy trousers trustee tuition tulips turf turkey tuxedo tyre tyres ultrasound umpire unable uncertain
unclear undecided underwriting unfortunately uniform uniforms unsure upgrade upholstery urgency username
usher vacancies vacancy vaccination vaccine vacuum valet valve vandalism varnish vault vegan vegetarian
vehicle vehicles velvet vendor venue verdict verification veterinarian videographer vineyard visa
voicemail voltage volunteer volunteering volunteers voucher wages waitress waiver wake wants warehouse
warranty water waybill weather webcam whatever wheat wheel wheelchair whenever wherever whichever
whoever wholesale wholesaler widow widower wildfire windscreen windshield witness wool works wound
wreath wristband yacht year zipper
""")

VERBS_OF_PEOPLE = word_set("s will would can could has had is was and wants needs says asks hopes may might also then did "
                            "does")
NO_NAME_ENDINGS = ('ing', 'tion', 'sion', 'ment', 'ness', 'ance', 'ence', 'ship', 'ly', 'als', 'ities', 'ity', 'ures', 'ors', 'ages', 'ions', 'ments', 'ings', 'ed', 'able', 'ible', 'less', 'ful', 'ists', 'ties')

FUSED = {"ill": ("i", "ll"), "thats": ("that", "s"), "im": ("i", "m"), "ive": ("i", "ve"), "youre": ("you", "re"),
         "theyre": ("they", "re"), "theyll": ("they", "ll"), "youll": ("you", "ll"), "itll": ("it", "ll"),
         "weve": ("we", "ve"), "hes": ("he", "s"), "shes": ("she", "s"), "thatll": ("that", "ll"),
         "lets": ("let", "s"), "whats": ("what", "s"), "its": ("it", "s"), "id": ("i", "d")}     # as recognisers write
PAST_FORMS = word_set("""sent paid told bought left took taken gave given brought held lost met rang rung sold spoke
spoken wrote written chose chosen broke broken drove driven ran fell found kept caught grown led spent stood understood
put set made unavailable unsuccessful unsuccessfully reset went gone got began begun shut cut withdrew withdrawn froze frozen out up off said hung
""")
OBJECTS = word_set("it him her them that me us you")      # they pass inside a phrase: "pick her up"
AND_THEN = word_set("and but then")
JOINING = word_set("and or")
PAST_ASKING = word_set("has have had did was were hasn't haven't didn't")       # they ask what was, and offer nothing
RECAPS = word_set("confirm confirming verify verifying")        # they ask without a question mark
HUMAN_WORDS = word_set(
    "i me my hello hi speaking yes yeah no we sure okay ok here help who what mm huh")
AUXILIARIES = word_set("can could would will do does did is are was were shall should may have has am isn't "
                        "aren't don't doesn't won't can't wouldn't couldn't didn't haven't hasn't")
CLAUSE_SIGNS = frozenset(",;:()[].!?\n\x1e")
DETERMINERS = word_set(
    "the a an his her their its your my our this that any each original previous existing current")

# -------------------------------------------------------------------------------- lexicon: loose reading

TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ONES = "one two three four five six seven eight nine".split()
HOMOPHONES = {"for": 4, "fore": 4, "to": 2, "too": 2, "ate": 8, "won": 1, "oh": 0, "o": 0, "tree": 3, "tin": 10,
              "nite": 9, "sics": 6, "second": 2, "free": 3, "teen": 10}
LETTER_SOUNDS = {"oh": "0", "for": "4", "to": "2", "too": "2", "ate": "8", "won": "1", "bee": "b", "see": "c", "sea": "c",
                 "dee": "d", "gee": "g", "jay": "j", "kay": "k", "pee": "p", "queue": "q", "are": "r", "tea": "t", "tee": "t",
                 "em": "m", "en": "n", "ef": "f", "el": "l", "ess": "s", "aitch": "h", "haitch": "h", "vee": "v", "cue": "q",
                 "you": "u", "why": "y", "zed": "z", "zee": "z", "ex": "x", "eye": "i"}
NUMBER_HEADS = word_set("number no. unit flat house gate bay apartment apt level floor step option platform extension line "
                         "lane")
NUMBER_TAILS = word_set("o'clock oclock am pm a.m p.m pounds pound dollars euros quid percent bucks rupees people persons "
                         "adults weeks days hours minutes nights months years miles parts ish")
NUMBER_FILLERS = word_set("and point dot dash pounds pound dollars dollar euros euro quid buck bucks rupees a decimal slash comma "
                           "hyphen um uh metre meter metres meters")
BEFORE_HOURS = word_set("at by till til until before after around about from between and or to past say like for gone half "
                         "quarter five ten twenty of toward towards circa thinking is was s this")
AFTER_HOURS = frozenset(WEEKDAYS) | word_set("o'clock oclock am pm a.m p.m in ish sharp tonight tomorrow today on works thirty "
                                              "fifteen to till")
SAID_AMOUNTS = {("50", "percent"): ["half"], ("25", "percent"): ["quarter"], ("75", "percent"): ["quarters"],
                  ("20", "percent"): ["fifth"], ("33", "percent"): ["third"], ("10", "percent"): ["tenth"],
                  ("30", "day"): ["month"], ("4", "week"): ["month"], ("6", "month"): ["half a year", "half year", "twice a year"],
                  ("0.50", None): ["half"], ("6", "week"): ["month and a half"], ("3", "month"): ["every quarter", "a quarter", "quarterly"],
                  **{("2", unit): ["every other " + unit] for unit in ("day", "month", "year")},
                  ("2", "week"): ["every other week", "fortnight"], ("500", "gram"): ["half a kilo"],
                  ("3", None): ["thrice"], ("4", "person"): ["foursome"],
                  **dict.fromkeys([("2", "person"), ("2", None)], ["me and my", "my husband and i", "my wife and i", "twins", "pair of us"])}
# days that are called by a name of their own, by its words in a row
HOLIDAYS = {day: names.split(", ") for day, names in (row.split(": ") for row in """
jan 1: new year s day, new year s, new years day, new years
jan 26: australia day, republic day
feb 14: valentine s day, valentine s, valentines
mar 17: saint patrick s day, st patrick s day, paddy s day
apr 25: anzac day
jul 1: canada day
jul 4: independence day
aug 15: independence day
oct 31: halloween
nov 5: bonfire night, guy fawkes
nov 11: remembrance day, veterans day, armistice day
dec 24: christmas eve
dec 25: christmas day, christmas
dec 26: boxing day, saint stephen s day, st stephen s day
dec 31: new year s eve, new years eve""".strip().split("\n"))}
DAYS_TOGETHER = {"saturday": ["weekend", "weekends"], "sunday": ["weekend", "weekends"], "monday": ["weekdays"], "friday": ["weekdays"]}
SAID_DAYS = {"last night": -1, "next day": 1}       # by how many days from the call they lie
MONTH_ENDS = ("end of the month", "end of month", "month end")
NATO = dict(zip("""alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november
oscar papa quebec romeo sierra tango uniform victor whiskey whisky yankee zulu xray""".split(),
                "aabcdefghijjklmnopqrstuvwwyzx"))
SPELLING_LINKS = word_set("dash hyphen for as in and capital small lowercase uppercase like of space slash then")
CODE_WORDS = {"u": "under"}      # a code's letters -> what is said for them: U13
SHORT_NAMES = {}                # a name -> what it is called for short, or heard as, and the other way round
for _row in """robert bob rob bobby; william bill will billy; elizabeth liz beth lizzie eliza; margaret maggie peggy meg
richard rick dick; edward ted ed eddie; james jim jimmy; john jack johnny; catherine kate cathy katie; katherine kate
kathy katie; anthony tony; theodore ted; henry harry hank; charles charlie chuck; joseph joe joey; michael mike mick
patricia pat trish; rebecca becky becca; susan sue; dorothy dot; alexander alex sandy sasha; andrew andy drew
sean shawn shaun; geoffrey jeffrey; lee leigh; catherine kathryn; anne hannah anna; siobhan shivaun; eoin owen
deborah deb debbie debra; daniel dan danny; jennifer jen jenny; benjamin ben; matthew matt; nicholas nick nicky
thomas tom tommy; alexandra alex; katherine kat; gregory greg; victoria vicky vicki tori; stephen steven steve
christopher chris; christine chris chrissie; samuel sam sammy; samantha sam; timothy tim; kenneth ken kenny
ronald ron ronnie; donald don donnie; gerald gerry jerry; frederick fred; leonard len lenny; raymond ray
douglas doug; jeffrey jeff; peter pete; david dave davey; francis frank; frances fran; philip phil; vincent vince
walter walt; stanley stan; barbara barb; cynthia cindy; pamela pam; sandra sandy; jacqueline jackie; joanna jo
josephine jo josie; judith judy; valerie val; amanda mandy; abigail abby; gabriella gabby; isabella bella izzy
jessica jess; madeleine maddie; natalie nat; nathaniel nate; nathan nate; zachary zach zac; joshua josh; jonathan jon
cameron cam; oliver ollie; eleanor ellie nell; penelope penny; angela angie; beverley bev; lawrence larry
albert bert; reginald reg; bernard bernie; bernadette bernie; desmond des; kimberly kim; melissa mel; melanie mel
stephanie steph; suzanne sue; tobias toby; maximilian max; mercedes merc; chevrolet chevy; volkswagen vw
niamh neev neve; aoife eefa; caoimhe keeva; saoirse sersha; eoghan owen; tadhg tige; roisin rosheen; sinead shinade
grainne grawnya; padraig porrick; cathal cahal; oisin usheen; dearbhla dervla; mhairi vari; eilidh ailey; ciaran kieran
xavier zavier; joaquin wakeen; lakshmi laxmi; schmidt shmit; phoebe feebee; michal meehow; jorge horhay
""".replace("\n", ";").split(";"):
    for _word in _row.split():
        SHORT_NAMES.setdefault(_word, set()).update(_row.split())
AMOUNT_CODE = rf"(?:{'|'.join(CURRENCY_PREFIXES)})\d[\d,.]*k?"
UNIT_CODE = (r"\d[\d.,:/-]*(?:st|nd|rd|th|am|pm|a\.m|p\.m|h|hr|hrs|kg|km|m|mm|cm|s|x|g|l|k|gb|mb|tb|mbps|p|w|kw|v|c|f|"
             r"min|mins|ft|in|lb|lbs|oz|ml|mg|pt|am-|pm-)?(?:[ -].*)?|[rx]\d[\d,.]*|\d+(?:x\d+)+s?|mp3|covid-?\d*|24/7")
NAME_OPENS = frozenset(':\n\u2022*";\u201c#(')           # behind these a small word may be written large
FIELD_LABEL = r"\s*(?:[-*\u2022#>]+\s*|\d+[.)]\s+)?(?:\*\*|__)?[A-Z][\w /'&(),-]{0,44}?(?::\*\*|\*\*:|__:|:)(?=\s|$)"
HEADING = r"#+ .*|(?:\*\*|__)[^*_]+(?:\*\*|__):?|[A-Z][\w'/&-]*(?: (?:[A-Z][\w'/&-]*|and|of|the|for|to|&))*"

# -------------------------------------------------------------------------------------- lexicon: grounds

# A thing: the words by which a call may speak of it; "put+down": the second within three words of the first, "#" a number.
# Those that bind who acts on a summary are claims in any sentence; the others only what a deed is told as done with, as
# summaries call much a "complaint" or an "email" that the call has no such word for.
BINDING_THINGS, DEED_THINGS = ({name: row.replace(":", "").split() for row in table.strip().split("\n")
                                for name in row.split(":")[0].split()} for table in ("""
deposit deposits: upfront up+front advance retainer bond token prepay prepayment secure holding to+hold the+rest put+down #+down #+back
insurance: insure insured insurer cover coverage policy liability plan benefits copay claim premium medicare adjuster
liability: insurance liable
proof: prove evidence document documentation receipt bill utility certificate paper paperwork letter slip writing photo picture
certificate certificates: cert certify certified certification diploma paper gift voucher
deductible: excess
restocking: restock
refundable: refund back return lose keep forfeit
prescription prescriptions: script scrip prescribe prescribed repeat refill rx medication medicine meds tablets pills
referral: refer referred letter gp+write
brochure brochures: leaflet catalogue catalog pamphlet booklet flyer literature
leaflet leaflets: brochure pamphlet booklet flyer
survey: surveyor questionnaire feedback question questions scale
voucher vouchers: coupon gift credit code token #+off
coupon coupons: voucher code discount
discount: off percent cheaper reduction reduced less knock save code coupon voucher promo half
notarised notarized: notary notarise notarize
guarantor: guarantee cosign cosigner co+sign
password: passcode code pin login
vaccination vaccinations: vaccine vaccinate jab shot booster
waiver: waive sign release
warranty: guarantee guaranteed cover coverage
guarantee: guaranteed warranty promise cover sure certain definitely
penalty: fee charge fine forfeit lose cost extra
loan loaner: borrow lend lent finance financing courtesy spare replacement mortgage bank
form forms: paperwork sign document fill application online sheet questionnaire
photo photos: photograph picture pic image snap camera passport licence license id identification
doctor: dr doc gp physician surgery clinic medical consultant surgeon specialist hospital dentist pediatrician paediatrician
cctv: camera footage video
passport passports: id identification
signature signatures: sign
interpreter: interpret translate translator language speak
gratuity gratuities: tip service
helmet helmets: hat gear
footwear: shoe boots trainers sneakers
cash: money notes coins
cheque cheques: check
police: cop officer crime constable sheriff garda 101 911 999
ambulance: emergency paramedic
batteries: battery
antibiotics: antibiotic amoxicillin penicillin
painkillers: painkiller paracetamol ibuprofen tylenol advil aspirin panadol
halal: zabiha muslim
kosher: jewish
vegan: plant
gluten: coeliac celiac wheat
nut nuts: peanut almond cashew hazelnut walnut
customs: duty import border
toll tolls: road free
commission: percent cut
lease: rent rental tenancy agreement contract
overtime: extra hours time+half
""", """
email: mail inbox dot
refund: reimburse credit
invoice: bill
receipt:
contract: agreement sign
complaint: complain
ticket: case reference log
supervisor: manager senior boss
courier: driver van deliver delivery
newsletter:
upgrade: bigger
replacement: replace new another swap spare
waitlist: list waiting
"""))
THINGS = {**DEED_THINGS, **BINDING_THINGS}
# outcome words that a summary may end on: the root each is held against | further phrases by which people say so
OUTCOME_WORDS_TABLE = """
CONFIRMED AGREED ACCEPTED APPROVED: confirm
BOOKED SCHEDULED RESERVED ENROLLED: book
SOLD SUBSCRIBED PURCHASED ORDERED: | sign me up, i ll take, we ll take, put me down, i ll buy, i ll have, \
i d like to order, i want to order, place the order, order is placed, you re subscribed, you re signed up, \
payment went through
RESCHEDULED MOVED: reschedule
CANCELLED CANCELED: cancel
COMPLETED RESOLVED DONE: complete
PAID: pay | i ve paid, it s paid, payment went through, payment has gone through
DECLINED REFUSED REJECTED: decline
NOT_INTERESTED: decline | not interested, no interest, not for me, not for us
INTERESTED QUALIFIED_LEAD: | interested, sounds interesting, tell me more, i d like to, i d love to, send \
me
QUALIFIED ELIGIBLE: | qualify, qualifies, qualified, eligible
NOT_QUALIFIED INELIGIBLE: | not qualify, not eligible, ineligible, can not qualify
DISPUTED: | dispute, disputed, not mine, never ordered, never bought, wrong amount, not owe
DO_NOT_CALL OPT_OUT: opt-out
WRONG_NUMBER WRONG_PERSON: wrong-number
VOICEMAIL LEFT_VOICEMAIL VOICEMAIL_LEFT: voicemail
NO_ANSWER UNREACHABLE: no-answer
UNAVAILABLE FULL SOLD_OUT: unavailable
FAILED: fail
TRANSFERRED WARM_TRANSFER: transfer | put you through, transfer you, connect you, pass you over
CALLBACK CALL_BACK CALLBACK_REQUESTED: call back
NO_SHOW: | no show, did not show, never showed, did not turn up, never came, did not come
BUSY: | busy, can not talk, bad time, in a meeting, driving
PENDING UNDECIDED: | think about it, let you know, not sure, get back to you, decide"""
OUTCOME_WORDS = {word: (root.strip(), [phrase.strip() for phrase in said.split(",") if phrase.strip()])
                 for row in OUTCOME_WORDS_TABLE.strip().split("\n") for words, _, rest in [row.partition(":")]
                 for root, _, said in [rest.partition("|")] for word in words.split()}
OUTCOME_LABEL = r"(?:outcome|result|disposition|status|call status)\W{1,4}([A-Z][A-Z]+(?:[ _-][A-Z]+)*)\b"
OUTCOME_LAST = r"(?:^|[.!?:\n]\s*\**)([A-Z]{3,}(?:_[A-Z]+)*|[A-Z]+(?:_[A-Z]+)+)\W*$"
KINDRED = {"hold": ["consent"], "email": ["send"], "mail": ["send"], "text": ["send"], "send": ["email", "mail", "text", "ship"]}
NOBODY = "voicemail no-answer busy declined cancelled expired not-called".split()       # facts by which nobody spoke
# what an agent does in a call it says: "I've sent it", "I'll add you"
SENT = word_set("send email mail text")
SAID_WHEN_DONE = SENT | word_set("refund add cancel ship hold opt-out")
# what summaries call so, whatever was said: "logged it as an emergency" of "I'm marking this as urgent"
TOLD_FREELY = word_set("file refer confirm provide record mark note add ask check notify update assign")
DECIDED = word_set("consent change done refuse cancel fail")      # families that tell how a call ended
LEFT_WORD = word_set("""message voicemail left asked asking unanswered recorded recording automated hold attempted
if whether could pending hopefully""")
# what a model writes in place of a summary
NO_SUMMARY = r"""\b(?:transcript|conversation|dialogue|recording|text)\b.{0,60}(?:not|n't|no|in)\ ?.{0,20}(?:enough|sufficient)
|\bthere\ (?:is|was|are|isn't|wasn't)\ ?(?:not|no)?\ ?(?:enough|insufficient|sufficient)\ (?:information|content|detail|context)
|\b(?:unable|not\ possible|impossible)\ to\ (?:generate|provide|create|produce|write|summari[sz]e)\ ?(?:an?|the)?\ ?(?:\w+\ )?(?:summary|call|conversation)?[.\ ]*$
|\bcannot\ (?:be\ )?(?:summari[sz]e|determine)|\bwithout\ (?:more|further|any)\ (?:context|dialogue|information)
|\b(?:transcript|conversation)\ (?:is|was|appears|seems)\ (?:to\ be\ )?(?:empty|blank|too\ short|missing|incomplete)
|\bno\ (?:transcript|conversation|summary)\ (?:is\ |was\ )?(?:available|provided|given)
|^\W*I'm\ sorry,\ but|^\W*I\ apologi[sz]e|\bplease\ provide\ the\ (?:transcript|conversation)|\bas\ an\ AI\b"""
NO_SUMMARY_WORDS = (                # one of them is in each, so that most summaries need not compile it
    "transcript", "conversation", "dialogue", "recording", "text", "sufficient", "enough", "possible",
    "unable", "cannot", "without", "no summary", "sorry", "apologi", "an ai")
EMPTY_FIELD = r"\W*(?:not (?:provided|specified|mentioned|available|given)|n/?a|none|unknown)\W*"
# with these, what stands behind "from" is the former value: "moved from Monday", but not "open from Monday"
MOVED = word_set("""moved move moving moves changed change changing rebooked rescheduled switched shifted amended amend
updated extended up down went goes go going rose risen raised increased lowered reduced cut came dropped""")
# words by which the value before them is turned down: "eleven's no good", "nine, but …"
TURNS_DOWN = word_set("but too not no nah nope full taken gone sorry can't cant won't don't")
TOLD_COUNTS = word_set("bookings attempts things requests matters tries")
THE_WORDS = word_set("the a an his her their its your my our this that any no each")
RECKONING = word_set("total totals totalling totaling altogether difference remaining balance saving savings save saved "
                      "combined overall sum")
BEFORE_AGENT = word_set("the an ai s this")                 # no "travel agent"
AGENT = word_set("agent assistant")        # in a summary: what they agreed to, no "no" of the other side decides
TOLD_OLD = word_set("""too previously originally original instead rather declined refused rejected turned offered suggested
proposed full than old normally usual usually compared alternative alternatives unavailable preferred asked wanted hoped
initially earlier quoted former unlike misheard corrected couldn't didn't can't cannot wasn't isn't considered options
option closed available either not clash clashes clashed impossible unsuitable ruled won't wouldn't""")


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
        elif code > 0xffff:                                 # emoji: no words
            low = "~"
        self[code] = low if len(low) == 1 else character
        return self[code]


FOLDING = Folding()
WORD = (r"(\d+(?:[.,:/-]\d+)*(?:[ap]\.m\b|[a-z]*)"        # 1,200  14:00  10/14  9-5pm  2p.m
        r"|[ap]\.m\b"                                     # p.m
        # don't  o'clock  l2093; "it's" is two words; a range up to the last letter takes long to compile
        r"|[^\0-`{-\xb4]+(?:'(?!(?:s|ll|m|re|ve|d)\b)[a-z]+)*(?:\d+(?:,\d{3})*(?:\.\d\d\b)?)?)")     # l2093  r1,650
ASCII_WORD = WORD.replace(r"[^\0-`{-\xb4]", "[a-z]")  # the same for a text that has no other letters: half the time
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


# ---------------------------------------------------------------------------------------------- words

CLASSES = {}                    # word -> its classes, "@not"; every word of grammar
for _row in GRAMMAR_TABLE.strip().split("\n"):
    _heads, _said = _row.split(": ")
    for _word in _said.split():
        CLASSES[_word] = CLASSES.get(_word, ()) + tuple("@" + head for head in _heads.split())


def words_of(*classes):
    """The words of some classes of grammar.

    >>> sorted(words_of("if"))
    ['if', 'unless', 'whether']
    """
    wanted = {"@" + name for name in classes}
    return frozenset(word for word, own in CLASSES.items() if not wanted.isdisjoint(own))


NEGATIONS, FILLERS, CLAUSE_STOPS, SUBJECTS = (
    words_of("not"), words_of("filler"), words_of("stop"), words_of("me", "you", "they", "that"))
OTHER_SUBJECTS = SUBJECTS | {"who", "which"}
PASSING = FILLERS | OBJECTS                                 # what may stand inside a phrase
AUXILIARY = words_of("do", "dont", "be", "isnt", "have", "havent", "can", "cant", "will", "would")
IRREGULAR = dict(pair.split("/") for pair in IRREGULAR_FORMS.split())


@lru_cache(maxsize=30000)
def stem(word):
    """What the forms of a word share.

    >>> [stem(word) for word in ("bookings", "booked", "delivery", "delivered", "planned", "waived", "sent")]
    ['book', 'book', 'deliv', 'deliv', 'plan', 'waiv', 'send']
    """
    word = IRREGULAR.get(word, word)
    for ending in ENDINGS if word.endswith(ENDINGS) else ():
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word[:-len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    word = word[:-1] if len(word) > 3 and word[-1] in "eyi" else word
    return word[:-2] if len(word) > 4 and word.endswith("er") else word


@lru_cache(maxsize=30000)
def bare(word):
    """A word without accents and apostrophes.

    >>> bare("Zoë's")
    'zoes'
    """
    if not word.isascii():
        import unicodedata
        word = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return word.casefold().replace("'", "").replace("\u2019", "")


@lru_cache(maxsize=30000)
def sound(word):
    """What is heard of a word: its consonants, those that sound alike as one.

    >>> sound("Cissy") == sound("Sissy"), sound("Philips") == sound("Fillip"), sound("Holt") == sound("Holden")
    (True, True, False)
    """
    word = bare(word)
    for old, new in SOUNDS_ALIKE:
        word = pattern(old).sub(new, word)
    word = ("a" if word[:1] in "eiouy" else word[:1]) + pattern("[aeiouyhw]").sub("", word[1:])
    word = pattern(r"(.)\1+").sub(r"\1", word)
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def distance(one, other, most):
    """The edit distance of two words, or most + 1 where it is larger.

    >>> distance("hansen", "hanson", 2), distance("cat", "house", 1)
    (1, 2)
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
        if min(row) > most:
            return most + 1
    return row[-1]


# ----------------------------------------------------------------------------------------------- acts

# does: a row's name; first, last: its words; colours: the rows that colour it, "not", "if", "wish", "will", "maybe";
# head: is it an answer at the head of its clause
Act = namedtuple("Act", "does first last colours head")
Voice = namedtuple("Voice", "first does")
Deed = namedtuple("Deed", "root sign family told said")      # a row of DEEDS_TABLE
# the trie of the phrases, {word, ~stem or @class: node}, where node[""] lists the (does, scope) of those that
# end there; root -> Deed; first key -> (the other items, (does, scope)) of the phrases not in the trie yet
ROWS, DEEDS, OPENINGS = {}, {}, defaultdict(list)


def read_tables():
    """Sort the phrases of both tables by the keys that they may begin with, when the first text is read."""
    rows = [row.split(": ", 1) for row in SAID_TABLE.strip().split("\n")]
    for row in DEEDS_TABLE.strip().split("\n"):
        head, said = row.split(": ", 1)
        (root, sign, family), (told, _, meant) = head.rsplit(" ", 2), said.partition(" | ")
        DEEDS[root] = Deed(root, sign, family, told, frozenset(map(stem, meant.split())))
        rows.append((f"{root} =", told))
    for head, said in rows:
        leaf = tuple(head.rsplit(" ", 1))
        for phrase in said.split(","):
            item, rest = "?", phrase.strip()
            while rest and item[-1] == "?":             # behind an optional item another may be the first
                item, _, rest = rest.partition(" ")
                for key in keys_in(item):
                    OPENINGS[key].append((rest, leaf))


def keys_in(item):
    """The keys of an item of a phrase: "one|~book|@not?" has three."""
    if item.isalpha():
        return [item]
    return ["~" + stem(key[1:]) if key[0] == "~" else key for key in item.rstrip("?").split("|")]


def grow(key):
    """Put the phrases that begin with a key into the trie; a call needs few of them."""
    for rest, leaf in OPENINGS.pop(key, ()):
        ends = [ROWS.setdefault(key, {})]
        for item in rest.split():
            more = [end.setdefault(inner, {}) for end in ends for inner in keys_in(item)]
            ends = more + ends if item[-1] == "?" else more
        for end in ends:
            end.setdefault("", []).append(leaf)


@lru_cache(maxsize=30000)
def keys_of(word):
    """The ways of a word through the trie, each a tuple of keys; "thats" goes as "that" and "s", "didnt" as "didn't"."""
    if word[-2:] == "nt" and word[:-1] + "'t" in AUXILIARIES:
        word = word[:-1] + "'t"
    parts = FUSED.get(word)
    own = word, *CLASSES.get(word, () if parts else ("~" + stem(word),))
    fused = [one + other for one in keys_of(parts[0]) for other in keys_of(parts[1])] if parts else []
    return fused + [(key,) for key in own if key]           # the word behind the last one is empty


@lru_cache(maxsize=30000)
def nodes_of(word):
    """The nodes of the trie that a phrase which begins with this word goes to."""
    if not DEEDS:
        read_tables()
    for keys in keys_of(word):
        grow(keys[0])
    return tuple(step([ROWS], word))


def step(nodes, word):
    """Where a word leads from these nodes."""
    found = []
    for node in nodes:
        for keys in keys_of(word):
            at = node
            for key in keys:
                at = at.get(key)
                if at is None:
                    break
            else:
                found.append(at)
    return found


@lru_cache(maxsize=60000)
def nodes_after(word, other):
    """The nodes that two words lead to: most pairs lead nowhere."""
    return tuple(step(nodes_of(word), other))


@lru_cache(maxsize=30000)
def leaves_of(word):
    """(the (does, scope) of the phrases that are this word alone, those that are this word alone where its clause ends)."""
    ends, closes = [], []
    for node in nodes_of(word):
        ends += node.get("", ())
        closes += node.get("$", {}).get("", ())
    return ends, closes


def phrases_at(text, i):
    """[(last, does, scope)] of every phrase that begins at word i; up to two fillers may stand inside it."""
    words, gaps, j = text.words, text.gaps, i + 1
    ends, closes = leaves_of(words[i])
    found = [(j, *leaf) for leaf in ends]
    if gaps[j] not in LINKS:
        found += [(j, *leaf) for leaf in closes]
    word, fillers = words[j], 2
    if gaps[j] not in SOFT:
        return found
    fresh, kept = nodes_after(words[i], word), nodes_of(words[i]) if word in PASSING else ()
    while fresh or kept:
        j += 1
        if gaps[j] not in LINKS:
            fresh = [*fresh, *(node["$"] for node in fresh if "$" in node)]
        found += [(j, *leaf) for node in fresh for leaf in node.get("", ())]
        if gaps[j] not in SOFT:
            break
        word, fillers, nodes = words[j], fillers - bool(kept), [*fresh, *kept]
        fresh, kept = step(nodes, word), nodes if word in PASSING and fillers else ()
    return found


# acts and deeds in order; the first words of the clauses; (first word, "recorded"…) of what machines and people say
Acts = namedtuple("Acts", "acts deeds heads voices")


def acts_of(text):
    """The Acts of a text, read once.

    One pass: the longest phrase at a place counts, an answer (^) only at the head of its clause; each act knows what
    colours it. "and" carries on what coloured the clause before it: "will email it and book a visit".
    """
    if "acts" not in text.cache:
        text.cache["acts"] = read_acts(text)
    return text.cache["acts"]


def by_length(phrase):
    """The order of what begins at one word: what colours, then the longest first, of those an answer."""
    return phrase[2] != ">", -phrase[0], phrase[2] != "^", phrase[1]


def read_acts(text):
    """See acts_of."""
    acts, deeds, heads, voices, colours, opens = [], [], [], [], [], set(text.opens)
    words, gaps, free, told, front = text.words, text.gaps, 0, 0, 0
    for i in range(text.size):
        word, gap = words[i], gaps[i]
        if word in CLAUSE_STOPS and words[i - 1] not in AUXILIARY or i in opens or gap != " " and gap[:1] != "." and not CLAUSE_SIGNS.isdisjoint(gap):
            heads.append(i)
            front = i
            if i in opens or word not in JOINING or words[i + 1] in SUBJECTS or words[i + 1] in AUXILIARY:
                colours = []
        head = i == front
        found = phrases_at(text, i) if nodes_of(word) and not (
            word == "may" and i not in opens and text.raw[text.starts[i]] == "M") else ()
        for last, does, scope in sorted(found, key=by_length) if len(found) > 1 else found:
            if scope == ">":
                if not (does == "wish" and words[i - 1] in THE_WORDS or does == "not" and head and answers_no(text, i)):
                    colours.append((does, i, i + 5 if word == "no" else text.size))
            elif scope == "*":
                voices.append(Voice(i, does))
            elif scope == "=":
                if i >= told:
                    deeds.append(Act(does, i, last, coloured(colours, i), False))
                    told = last
            elif i >= free and (scope == "." or i == front):
                act = Act(does, i, last, coloured(colours, i), scope == "^")
                if not (does == "fail" and "not" in act.colours):       # "a cold isn't a problem"
                    acts.append(act)
                free = last
                front = last if scope == "^" and front == i else front
        front += front == i and (word in FILLERS or word in CLAUSE_STOPS)
    return Acts(acts, deeds, heads, voices)


def answers_no(text, i):
    """Is a "no" at the head of its clause an answer, that says nothing of what stands behind it: "no please cancel it"?"""
    words = text.words
    return words[i] == "no" and (words[i + 1] in CLASSES and words[i + 1] not in NEGATIONS
                                                or words[i + 2] in OBJECTS or text.gaps[i + 1] not in LINKS)


def coloured(colours, first):
    """The names of the rows that colour what begins at a word; a "will" behind a "not" begins another verb: "they
    don't know yet they will call" leaves it open.
    """
    names = {does for does, start, end in colours if start < first < end}
    last = {does: start for does, start, end in colours if start <= first < end}
    if "not" in names and last["not"] < last.get("will", -1):
        names = names - {"not"} | {"if"}
    return frozenset(names)


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
INLINE_LABELS = word_set(  # open a turn after a sentence's end too: some transcripts are all one line
    "agent bot assistant ai callee user customer human recipient patient caller client guest rider")
NO_LABELS = word_set(     # they open a sentence of speech, not a turn
    "note notes yes no okay ok so and but also total time date address price name phone email mail re ps "
    "warning reminder summary subject today tomorrow monday tuesday wednesday thursday friday saturday "
    "sunday transcript option options first second third question answer reason result great sure well "
    "right")

SUMMARY_KEYS = (            # the first two go before the others in any layer
    "post_summary postSummary summary call_summary callSummary transcript_summary transcriptSummary "
    "conversation_summary post_call_summary postCallSummary recap call_recap short_summary overview").split()
TRANSCRIPT_KEYS = (         # plain lists before woven ones, the scrubbed copy only if it is the only one
    "transcript transcript_turns transcriptTurns transcript_object transcripts turns messages conversation "
    "utterances dialogue dialog interaction_transcript call_transcript transcript_segments segments asr "
    "sentences paragraphs chat_history chat "
    "messagesOpenAIFormatted transcript_with_tool_calls scrubbed_transcript_with_tool_calls "
    "concatenated_transcript full_transcript transcript_text transcription").split()
CALL_KEYS = frozenset(SUMMARY_KEYS + TRANSCRIPT_KEYS)
# inside an object under such a key
TURN_LISTS = "turns messages items segments utterances sentences paragraphs text content".split()
TEXT_KEYS = ("text message content utterance said speech sentences en_text transcript "
             "multivoice_message").split()
TURN_KEYS = CALL_KEYS.union(TURN_LISTS, TEXT_KEYS)
SPEAKER_KEYS = {key: rank for rank, key in enumerate((      # the first that tells a role counts
                "speaker role user who speaker_role speakerRole speaker_name speakerName speaker_label "
                "speakerLabel name source from author participant speaker_id speakerId channel "
                "media_channel").split())}
ID_KEYS = ("call_id id conversation_id room_id interaction_id run_id runId callId job_id session_id "
           "c_id").split()
STATUS_LINE = word_set(   # a `message` of such words only tells the state of the run
    "a the your this call run task status is was has been now in progress finished completed complete "
    "ended done success successful successfully failed queued started running result results ready")

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
OWN_FIELDS = ("goal|task|variab|metadata|recipient|contact|customer|callee|agent|assistant|business|company|"
              "lead|patient|name|calling|subject|title")
MAX_DEPTH = 40              # real payloads nest five layers

FIELD_PLACES = word_set(  # the keys under which a platform's model fills in values
    "structured_result structuredResult outcome evidence "                          # CALL-E
    "structuredData structured_data structuredOutputs structured_outputs "          # Vapi
    "custom_analysis_data customAnalysisData "                                      # Retell
    "data_collection_results dataCollectionResults "                                # ElevenLabs
    "analysis variables "                                                           # Bland
    "return_value returnValue collected_variables collectedVariables "              # Synthflow
    "extracted_data extractedData extracted_variables extractedVariables")
NO_FIELDS = frozenset((     # the platform's own beside fields, and what repeats the request
    "summary transcript_summary call_summary call_summary_title successEvaluation success_evaluation "
    "call_successful in_voicemail user_sentiment evaluation_criteria_results "
    "evaluation_criteria_results_list data_collection_results_list task_completed taskCompleted "
    "completion_confidence completionConfidence rationale reasoning explanation json_schema jsonSchema "
    "schema analysis_schema request_data requestData metadata extracted assistant assistantOverrides "
    "conversation_initiation_client_data plan_result run_result status_result activity tool_calls "
    "tool_results").split() + TRANSCRIPT_KEYS)
CALLER_KEYS = word_set(   # what Bland puts among its variables by itself
    "now now_utc short_from short_to from to phone_number call_id city state zip country timezone timestamp "
    "language input lastUserMessage")
ANSWER_KEYS = word_set("value result answer")
ANSWER_NOTES = word_set("name label type score confidence")        # beside an answer, no fields
QUOTE_KEYS = word_set("evidence quote quotes verbatim excerpt citation source_quote sourceQuote")
VAGUE_KEYS = word_set(    # they name nothing where other words of a key do
    "value result answer return structured data details info information answers answer fields results "
    "output extracted values analysis")
NO_CLAIM_KEYS = word_set( # last words of keys whose values nobody says
    "id ids uuid guid url urls uri link links score scores confidence probability sentiment rationale "
    "reasoning explanation justification schema version currency language locale timezone tz token hash "
    "format mood emotion tone rating")
NO_VALUE = (                # what is filled in where there is nothing, and addresses on the web
    r"\W*|(?:https?://|www\.)\S+|\W*(?:n/?a|none|null|nil|nan|-?inf|un(?:known|specified|defined|clear)|tbd|"
    r"no information|not (?:provided|specified|mentioned|available|given|applicable|discussed|stated|asked|"
    r"known))\W*")
MINOR_UNITS = word_set("cents cent pence penny")
EXPIRY_KEYS = word_set("expiry expires expiration exp")
OLD_KEYS = TOLD_OLD | word_set("requested previous prior current competitor before")
PERSON_KEYS = word_set(
    "name names surname firstname lastname caller customer contact client patient person doctor dentist "
    "therapist technician engineer officer driver manager owner company business firm shop store clinic "
    "school insurer provider interviewer stylist planner supplier")
DONE_BEFORE = words_of("be", "have")
DENIALS = words_of("not") - word_set("no none nothing nobody neither nor never without hardly")
DENIES_NEXT = word_set("no nothing nobody without")     # "no visit was booked", but "booked at no charge"
TOLD_OPEN = word_set(     # words of a summary that let nothing be done
    "declined refused rejected unable failed impossible unsuccessful depends pending undecided unconfirmed neither "
    "nor never must should needs tried discretion")
ENDS = word_set("by until till")   # "back by eight" tells no other time of what begins at seven
NEED_KEYS = word_set("required needed necessary due")      # what must be is still to be done
TURNED_FROM = word_set("declined refused rejected down")    # before a name that is not meant
STATUS_KEYS = VAGUE_KEYS | word_set("status outcome decision state final is was has been the any call")
REPORTS = word_set(       # words of a sentence about what was said
    "caller customer recipient patient callee user agent client said says confirmed stated asked agreed "
    "mentioned told explained offered gave")
ISO_MONTH = r"(\d{4})-(\d\d)"
ISO_TIME = r"^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?: ?Z|[+-]\d\d:?\d\d)?$"
EMAIL = r"[\w.+'-]{1,64}@[\w-]+(?:\.[\w-]+)+"
QUOTED = r"[\"\u201c\u201d\xab](.{2,600}?)[\"\u201c\u201d\xbb]"

NOT_ENDED = word_set(
    "queued preparing started starting in-progress pending dialing ringing initiated processing ongoing "
    "scheduled running created waiting")
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


class Call(namedtuple("Call", "call_id summary turns dates day_first language facts warnings recipients "
                      "record fields", defaults=[None, None])):
    """One call as the auditor sees it.

    `call_id` and `summary` are text or None, `turns` a list of `Turn`. `dates` holds the local dates on
    which the call can have started, the likeliest first. `facts` maps what the record's own fields say
    ("voicemail", "no-answer", "busy", "declined", "cancelled", "expired", "not-called", "failed", "human") to
    the field that says so. `warnings` may hold "call_not_ended", "transcript_missing" and "speakers_unknown".
    `recipients` holds one `Call` each when a task called several people, else it is empty; `record` is what it
    was read from, and `fields` what the platform's model filled in, if that was asked for: see `with_fields`.
    """
    __slots__ = ()


# ---------------------------------------------------------------------------------------- load: bytes


def load_call_result(path, default_date=None, callee=None):
    """The `Call` in a JSON file; `-` is standard input.

    `default_date` (a `datetime.date`) counts where the record gives no start time, `callee` is the label of
    the speaker who is the callee. Whatever is wrong with the file or its content raises `RecordError`, and
    nothing else does.
    """
    where = source_name(path)
    record = parse_record(decode_record(read_bytes(path, where), where), where)
    return read_call(record, where, default_date, callee)


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
    return content_object(value) or value               # a tool result's content alone


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
            open_layers(value, layers, defaultdict(list))
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


def read_call(record, where, default_date=None, callee=None):
    """The `Call` of a parsed record, of whatever platform; `callee` may name the callee's label in it.

    `where` names the record in errors. Raises `RecordError` if a text field holds something else or nothing
    that is understood, or if there is neither a summary nor a transcript and no status that says why.

    >>> call = read_call({"id": 7, "summary": "Booked.", "transcript": "BOT: Four?\\nUSER: Yes."}, "a record")
    >>> call.call_id, call.summary, [turn[:3] for turn in call.turns]
    ('7', 'Booked.', [(0, 'agent', 'BOT'), (1, 'callee', 'USER')])
    """
    try:
        call = read_layers(record, callee)
    except RecordError as problem:
        raise RecordError(*problem.args, where) from None
    dates = (default_date,) if default_date else ()
    call, *recipients = [one._replace(dates=one.dates or dates, record=record)
                         for one in (call, *call.recipients)]
    return call._replace(recipients=recipients)


def read_layers(record, callee):
    """The `Call` of a record, wherever in it the parts of a call are.

    This and all below leave it to `read_call` to say in which record an error is.
    """
    if not isinstance(record, dict):
        raise RecordError(f"not an object but {json_type(record)}")
    layers, fields = [], defaultdict(list)
    open_layers(record, layers, fields)
    people = next(filter(None, map(find_people, layers)), [])
    call = read_party(layers, fields, people[:len(people) < 2], callee)
    if len(people) > 1:
        call = join_recipients(
            call, [read_party([], defaultdict(list), [person], callee) for person in people])
    if call.summary is None and not call.turns:
        attempts = [part for person in people for part in objects_in(person.get("attempts"))]
        need_texts(layers + people + attempts, call)
    need_a_call(call)
    return call


# characters; words that a value, an answer may begin with
MOST_SUMMARY, MOST_VALUES, MOST_ANSWERS = 50_000, 20_000, 40_000


def need_a_call(call):
    """Raise `RecordError` for what is no call but a flood:
    cut short, it would pass what stands behind the cut."""
    if len(call.summary or "") > MOST_SUMMARY:
        raise RecordError(f"a summary of {len(call.summary):,} characters, more than {MOST_SUMMARY:,}")
    if sum(len(turn.text) for turn in call.turns) > 2 * MOST_VALUES:
        words = [word for turn in call.turns for word in Text(turn.text).words]
        values = sum(word in TRIGGERS or word < ":" for word in words) - len(BEYOND) * len(call.turns)
        answers = sum(word not in FILLERS and bool(nodes_of(word)) for word in words)
        if values > MOST_VALUES or answers > MOST_ANSWERS:
            raise RecordError(
                f"a transcript with {values:,} numbers and dates and {answers:,} answers is no call")


def open_layers(layer, layers, fields, depth=0):
    """List every object that may hold the call, innermost first; collect their fields as (key, value).

    >>> layers = []
    >>> open_layers({"jsonrpc": "2.0", "result": {"call": {"id": 1}}}, layers, defaultdict(list))
    >>> [list(layer) for layer in layers]
    [['id'], ['call'], ['jsonrpc', 'result']]
    """
    if depth > MAX_DEPTH:
        raise RecordError("nesting too deep")
    own = []
    for key, value in layer.items():
        field = KEYS.get(key)
        if field == "layer" and key not in CALL_KEYS and not isinstance(value, dict):
            value = content_object(value)               # a tool result's content, or its text
        if isinstance(value, dict):
            if field in ("layer", "detail"):            # a detail holds none of the call's texts
                open_layers(value, layers if field == "layer" else [], fields, depth + 1)
        elif field not in (None, "layer") and value is not None:
            own.append((field, key, value))
    block = content_object(layer.get("content") or layer.get("text"))
    if block:
        open_layers(block, layers, fields, depth + 1)
    layers.append(layer)
    for field, key, value in own:
        fields[field].append((key, value))
    if isinstance(layer.get("final_result"), dict):     # repeats its row: read for what the row lacks
        open_layers(layer["final_result"], layers, fields, depth + 1)


def content_object(content):
    """The object that a tool result holds as text only: the first text (block) that is one JSON object."""
    texts = [block.get("text") for block in content if isinstance(block, dict)] \
        if isinstance(content, list) else [content]
    values = (json_inside(text) for text in texts if isinstance(text, str) and text.lstrip()[:1] == "{")
    return next((value for value in values if isinstance(value, dict)), None)


def find_people(layer):
    """The recipients of a call task, if they hold more than an address."""
    people = objects_in(layer.get("recipients"))
    return people if any("attempts" in person or holds_text(person) for person in people) else []


def holds_text(part):
    """Whether an object has a key for a summary or a transcript, be it empty."""
    return not part.keys().isdisjoint(CALL_KEYS)


def objects_in(value):
    """The objects of a list; none of what is no list."""
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def join_recipients(task, calls):
    """The call task of several recipients' own calls: its summary over all turns.

    It numbers the turns anew, 0 to n-1, as the recipients' own indices repeat each other. What a
    recipient does not say of date and language, the task does.
    """
    calls = [call._replace(dates=call.dates or task.dates, language=call.language or task.language)
             for call in calls]
    turns = [turn for call in calls for turn in call.turns] or task.turns
    first = next((call for call in calls if call.turns), calls[0])
    return task._replace(
        turns=[turn._replace(index=index) for index, turn in enumerate(turns)], dates=first.dates,
        day_first=first.day_first or task.day_first, language=first.language,
        facts={fact: said for call in (*calls[::-1], task) for fact, said in call.facts.items()},
        warnings=tuple(word for word in task.warnings if word != "transcript_missing" or not turns)
        + ("speakers_unknown",) * any("speakers_unknown" in call.warnings for call in calls),
        recipients=calls)


def read_party(layers, fields, people, callee):
    """The call with one party: `layers` tell of the whole, then `people` (one or none), then attempts."""
    attempts = next(filter(None, (objects_in(part.get("attempts")) for part in people or layers)), [])
    for part in people + attempts[-1:]:                 # how it ended is told by the last attempt
        open_layers(part, [], fields)
    summary, at = read_summary(layers + people + attempts[::-1])
    turns = read_attempts(attempts) or read_transcript(people + layers)
    turns = place_callee(turns, fold_label(callee)) if callee else turns
    facts, running = read_facts(fields)
    if not turns and not running:
        need_turns(people + attempts + layers)
    if turns and at is None:
        summary = read_message(layers)
    elif summary and is_status_line(summary) and "task" not in summary.lower() \
            and fields["status"] and not running and not facts.keys() - {"human"}:
        summary = None                                  # says no more than the record's own status
    region, language = field_text(fields["region"]), field_text(fields["language"]).replace("_", "-")
    warnings = {"call_not_ended": running, "transcript_missing": not turns,
                "speakers_unknown": speakers_unknown(turns)}
    return Call(read_id(layers or people, at or 0), summary, turns, read_dates(attempts, fields),
                is_day_first(language, region), language or None, facts,
                tuple(filter(warnings.get, warnings)), ())


def read_summary(parts):
    """(summary, the place in `parts` it was found at): `post_summary` anywhere, then the other names.

    An empty one hides nothing: the next is taken. The place is None where there is no such key at all.
    """
    found_at = None
    for keys in (SUMMARY_KEYS[:2], SUMMARY_KEYS[2:]):
        for at, part in enumerate(parts):
            for key in filter(part.__contains__, keys):
                value = summary_text(part[key], key)
                if value and not value.isspace():
                    return value, at
                found_at = at if found_at is None else found_at
    return None, found_at


def summary_text(value, key):
    """A summary's text; of an object what has a summary's or a text's name ("overview"), or its only text."""
    if isinstance(value, dict):
        texts = [value[name] for name in SUMMARY_KEYS + TEXT_KEYS if value.get(name)][:1] or [
            text for text in value.values() if text and isinstance(text, str)]
        if len(texts) > 1:
            raise RecordError(f'no text under "{key}": an object with the keys {shown(", ".join(value))}')
        value = texts[0] if texts else None
    if value is not None and not isinstance(value, str):
        raise RecordError(f"{json_type(value)} where text belongs ({key})")
    return value


def shown(text):
    """A record's own words in an error: on one line, masked, not too long."""
    return mask_pii(" ".join(str(text)[:1000].split()))[:160]


def read_message(layers):
    """A `message` as the last resort for a summary, unless it is the status line of a run."""
    texts = (layer.get("message") for layer in layers)
    return next((text for text in texts if isinstance(text, str) and not is_status_line(text)), None)


def is_status_line(text):
    """Does a text only tell the state of the run?"""
    return STATUS_LINE.issuperset(pattern(r"\w+").findall(text.lower()))


def read_id(layers, at):
    """The call's id as text: `call_id` anywhere, else an id of the object at that place or around it."""
    layers = layers[at:] + layers[:at]                  # outwards, then what lies further in
    values = (layer.get(key) for keys in (ID_KEYS[:1], ID_KEYS) for layer in layers if "jsonrpc" not in layer
              for key in keys)                          # an id beside "jsonrpc" is the request's
    return next((str(value) for value in values if value and type(value) is str
                 or type(value) in (int, float) and 0 < abs(value) < 1e99), None)


def need_texts(parts, call):
    """Raise unless a key for a text is there, if an empty one, or a status says why there is no text."""
    said = own_error(parts)
    if any(map(holds_text, parts)) or "call_not_ended" in call.warnings \
            or call.facts.keys() - {"human", said and "failed"}:
        return
    if said:
        raise RecordError(f'neither summary nor transcript but an error ("{shown(said)}")')
    names = ", ".join(SUMMARY_KEYS[:1] + SUMMARY_KEYS[2:4] + TRANSCRIPT_KEYS[:2] + ["turns", "messages"])
    raise RecordError(f"neither summary nor transcript (looked for {names} and the like)")


def own_error(parts):
    """What the record itself says went wrong, after its code; empty if it says nothing of the kind."""
    for part in parts:
        error = part.get("error") or joined_text(part.get("content") or part.get("text"))
        if isinstance(error, dict):
            error = ": ".join(str(error[key]) for key in ("code", "message") if error.get(key))
        if error:
            return error
    return ""


def field_text(values):
    """The first text of a field, lower-cased; empty if it says nothing."""
    texts = (value.strip().lower() for _, value in values if isinstance(value, str))
    return next((text for text in texts if text not in ("", "auto", "multi", "und", "unknown")), "")


def read_facts(fields):
    """({fact: the field that says so}, whether the call still runs), from statuses and reasons.

    >>> read_facts({"status": [("status", "NO ANSWER")], "reason": [("answered_by", "human")]})
    ({'no-answer': 'status=NO ANSWER', 'human': 'answered_by=human'}, False)
    """
    facts, running = {}, False
    for key, value in fields["status"] + fields["reason"]:
        if value is True and key == "in_voicemail":
            facts["voicemail"] = "in_voicemail=true"
        if not isinstance(value, str):
            continue
        folded = value.strip().lower().replace("_", "-").replace(" ", "-")
        if folded in NOT_ENDED:
            running = True
        elif folded == "human":
            facts[folded] = f"{key}={value}"
        elif len(folded) < 50:                          # no prose
            for fragment, fact in FACT_FRAGMENTS:
                if fragment in folded:
                    facts.setdefault(fact, f"{key}={value}")
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
    times += [value for _, value in fields["start"]]
    for _, entries in fields["items"]:
        for entry in objects_in(entries)[:1]:
            times += map(entry.get, ("call_start_time", "ts", "created_at"))
    times += [value for _, value in fields["created"]]
    zone = next((value for _, value in fields["zone"] if isinstance(value, str)), None)
    return next(filter(None, (local_dates(time, zone) for time in times)), ())


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
    if not moment or not 1700 < moment.year < 8000:
        return ()
    import datetime
    if zone and moment.tzinfo:
        try:
            from zoneinfo import ZoneInfo
            return (moment.astimezone(ZoneInfo(zone)).date(),)
        except Exception:   # no zone data (Windows), a directory or nothing by that name, a broken zone file
            pass
    days = [0]
    if moment.tzinfo and not moment.utcoffset() \
            and not str(time).endswith("0:00"):         # +00:00 is an offset; Z, UTC and an epoch are none
        days += [-1] * (moment.hour < 8) + [1] * (moment.hour >= 18)
    return tuple(moment.date() + datetime.timedelta(n) for n in days)


# before Python 3.11 `datetime.fromisoformat` takes no Z, no offset without a colon, few fractions of a second
ISO = r"(\d{4}-\d\d-\d\d)(?:T| |$)(?:(\d\d:\d\d)[\d:.,]*)? ?(?:(Z|UTC)|([+-]\d\d):?(\d\d)?|(?!\S))"


def read_moment(time):
    """The `datetime` of ISO text or a number, with its offset if that is known; None if it is no time."""
    import datetime
    if isinstance(time, str) and time.isdecimal() and len(time) < 18:
        time = int(time)
    if type(time) in (int, float) and 1e8 < time < 1e17:                # no NaN, nothing before 1973
        while time > 1e11:                              # milli- or microseconds
            time /= 1000
        return datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    match = pattern(ISO, re.I).match(time) if isinstance(time, str) else None
    if not match:
        return None
    day, clock, utc, hours, minutes = match.groups("00")
    offset = "+00:00" if match[3] else f"{hours}:{minutes}" if match[4] else ""
    try:
        return datetime.datetime.fromisoformat(f"{day} {match[2] or '00:00'}{offset}")
    except ValueError:                                  # February 30
        return None


# ---------------------------------------------------------------------------------------- load: turns


def read_attempts(attempts):
    """Turns of all attempts in order; an index goes on counting where the attempt before ended."""
    turns, base = [], 0
    for attempt in attempts:
        part = read_transcript([attempt])
        turns += [turn._replace(index=turn.index + base) for turn in part]
        items = attempt.get("transcript_turns") or attempt.get("transcriptTurns")
        base += len(items if isinstance(items, list) else part)
    return turns


def read_transcript(layers):
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
                value = next((value[name] for name in TURN_LISTS
                              if isinstance(value.get(name), (list, str))), [])
            if isinstance(value, list):
                turns = read_items(value, key)
                if turns:
                    return turns
            elif type(value) is str:
                texts.append(value)
            elif "transcript" in key:                   # elsewhere a number is a count: "messages": 12
                raise RecordError(f"{json_type(value)} where text belongs ({key})")
        for text in texts:
            turns = read_text(text)
            if turns:
                return turns
    return []


def need_turns(parts):
    """Raise `RecordError` if there is a transcript that is not understood: it must not be called missing."""
    for part in parts:
        for key in TRANSCRIPT_KEYS:
            items = part.get(key)
            if isinstance(items, dict) and "transcript" in key:
                items = [items]
            if isinstance(items, list) and items and not any(map(is_understood, items)):
                what = "a list of text without speaker labels" if isinstance(items[0], str) \
                    else f"a list with {json_type(items[0])} where a turn belongs"
                if isinstance(items[0], dict):
                    labels = dict.fromkeys(item_label(item) for item in items if isinstance(item, dict))
                    what = "; speakers found: ".join(filter(None, (
                        "no words under " + shown(", ".join(items[0])), shown(", ".join(labels)))))
                raise RecordError(f'no turns under "{key}": {what}')


def is_understood(item):
    """Whether an item has a place for words, or is of a kind that holds no speech."""
    return isinstance(item, dict) and (
        not TURN_KEYS.isdisjoint(item) or "drop" in map(role_of, (item_label(item), str(item.get("type")))))


def read_items(items, key):
    """Turns of a list of objects; what is no object, no speech or has no words is passed over.

    >>> read_items([{"speaker": "BOT", "text": "Hi"}, 5, {"role": "tool", "content": "{}"}], "turns")
    [Turn(index=0, speaker='agent', label='BOT', text='Hi')]
    """
    rows = []
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            continue
        label, kind = item_label(item), item.get("type")
        role = role_of(label) or "other"
        if role == "drop" or isinstance(kind, str) and role_of(kind) == "drop":
            continue
        text = item_text(item, f"{key}[{index}]")
        if text and not text.isspace():
            rows.append((index, role, label, text))
    if not rows and len(items) == 1 and isinstance(items[0], dict) and type(items[0].get("ts")) is str:
        return read_text(items[0]["ts"])         # CALL-E's batch runner keeps an unmarked text there
    return name_roles(rows) or labelled_texts(items)


def labelled_texts(items):
    """Turns of a list of texts that begin with a speaker's label; none if nowhere is one.

    >>> labelled_texts(["[00:04] BOT: Four?", "USER: Yes,", "please.", "BOT: Good."])[2]
    Turn(index=3, speaker='agent', label='BOT', text='Good.')
    """
    text = "\n".join(" ".join(item.split()) for item in items if isinstance(item, str))
    turns = read_text(f"{text}\n{text}")         # a name is a label if it stands twice
    turns = turns[:len(turns) // 2] if any(turn.label for turn in turns) else []
    more = accumulate([0] + [turn.text.count("\n") for turn in turns])      # each line is an item
    return [turn._replace(index=turn.index + lines) for turn, lines in zip(turns, more)]


def item_label(item):
    """A turn's label as the record has it: the first that tells a role, else the first; empty if none."""
    values = (value.get("name") if isinstance(value, dict) else value       # {"identifier": …, "name": …}
              for value in map(item.get, sorted(item.keys() & SPEAKER_KEYS.keys(), key=SPEAKER_KEYS.get)))
    labels = [str(value) for value in values if type(value) in (str, int) and value != ""]
    if labels and role_of(labels[0]) == "drop":
        return labels[0]
    known = (label for label in labels if role_of(label) in ("agent", "callee"))
    return next(known, labels[0] if labels else "")


def item_text(item, key):
    """A turn's words, under whichever key and however packed; None if it has none."""
    for name in TEXT_KEYS:
        value = item.get(name)
        if isinstance(value, (str, list, dict)):
            text = joined_text(value)
            if text:
                return text
        elif value is not None:
            raise RecordError(f"{json_type(value)} where text belongs ({key}.{name})")
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


@lru_cache(maxsize=256)
def role_of(label):
    """The role a label names: `agent`, `callee`, `other`, or `drop` for what is no speech; None if unknown.

    >>> [role_of(label) for label in ("AI Assistant", "User 2", "Maya (agent)", "Maya", "tool_calls")]
    ['agent', 'callee', 'agent', None, 'drop']
    """
    folded = fold_label(label[:60])
    head, _, inner = folded.partition("(")
    return next(filter(None, map(ROLES.get, (
        folded, folded.rstrip(" #0123456789"), head.strip(), inner.strip(" )")))), None)


def name_roles(rows):
    """`Turn`s of (index, role, label, text) rows, with a role for the one label that no table knows.

    Beside a known agent the only other label is the callee; beside a known callee the only unknown one is the
    agent; where nobody has a label, the one voice is the agent's.
    """
    known = {row[1] for row in rows} - {"other"}
    strange = {fold_label(row[2]) for row in rows if row[1] == "other"}
    if len(strange) == 1 and len(known) < 2 and (strange == {""}) is not bool(known):
        role = "callee" if known == {"agent"} else "agent" if not strange & ROLES.keys() else "other"
        rows = [(row[0], role, *row[2:]) if row[1] == "other" else row for row in rows]
    return list(map(tuple.__new__, repeat(Turn), rows))                 # twice as fast as Turn(...)


def place_callee(turns, callee):
    """The turns with one label's as the callee's; the only other label is then the agent's."""
    labels = {fold_label(turn.label) for turn in turns}
    if callee not in labels:
        return turns
    return [turn._replace(speaker="callee" if fold_label(turn.label) == callee else "agent"
                          if len(labels) == 2 or turn.speaker == "agent" else "other") for turn in turns]


def speakers_unknown(turns):
    """Is there a speaker whom no rule places, and one side that nobody is known to speak for?

    >>> said = [(0, "other", "A", "Four?"), (1, "other", "B", "Yes.")]
    >>> speakers_unknown([Turn(*row) for row in said]), speakers_unknown([Turn(0, "agent", "BOT", "Hi.")])
    (True, False)
    """
    roles = {turn.speaker for turn in turns}
    return "other" in roles and len(roles) < 3 or len(turns) > 1 and not any(turn.label for turn in turns)


# ---------------------------------------------------------------------------------------- load: texts

TIME = r"\d{1,3}:\d\d(?::\d\d)?(?:[.,]\d{1,6})?"
TIME_MARK = r"\[\d{1,3}:[\d:.,> –-]{2,30}\](?![ *_]{0,3}:)[ \t]*"    # [00:00:04], [0:04.5 - 0:07.1]
LABEL = (r"(?:(?:Dr|Mrs?|Ms)\. )?[^\W\d_][^\[\]().!?…,;:\n\ufdd0]{0,39}"      # in one sentence, no colon
         r"(?:\([^()\n:]{1,20}\))?")                                    # "Maya (agent)"
LINE_MARK = (rf"([\n\ufdd0.!?…])[ \t>*_•-]{{0,6}}(?:\(?{TIME}\)?[ \t-]{{0,3}})?({LABEL})"
             rf"(?:[\[(]{TIME}[\])][ *_]{{0,3}})?:[*_]{{0,2}}(?:\s?\[{TIME}\])?")
TIMED = (rf"(?:^|\n)[ \t]*{TIME_MARK}"                                  # elsewhere a time is part of what is said
         rf"|{TIME_MARK}[\s>*_-]{{0,6}}[^\W\d_][^\[\].!?,;:\n]{{0,39}}:")
CUE_TIMES = r"\n(?:\d{1,6}[ \t]*\n)?[ \t]*\d[\d:.,]{3,14} --> [^\n]*"   # WebVTT and SRT
CUE_VOICE = r"<v(?:\.[\w.]{1,20})? ([^<>\n]{1,40})>"


def read_text(text):
    """Turns of a transcript that is one text; without any speakers it is one turn of the agent.

    >>> for turn in read_text("[00:04] BOT: Is 7:45 fine? [00:09] USER: Note: no later."):
    ...     print(*turn, sep="|")
    0|agent|BOT|Is 7:45 fine?
    1|callee|USER|Note: no later.
    """
    head = text[:80].lstrip()
    if head[:1] in ("[", "{") and '"' in head:          # Millis keeps its messages as JSON in a text
        value = json_inside(text)
        if isinstance(value, (list, dict)):
            return read_transcript([{"transcript": value}])
    rows = [(index, role_of(label) or "other", label, words.strip())
            for index, (label, words) in enumerate(split_text(text))]
    return name_roles([row for row in rows if row[3] and row[1] != "drop"])


def split_text(text):
    """(label, words) of each turn: they begin at a time in brackets, and at a label that opens a line.

    Words without a label go on under the last one; what stands before the first label is no turn. An unknown
    label must look like a name and follow a time; without times it must stand beside a known one or twice.

    >>> split_text("[00:01] BOT: Now? [00:04] At 7:45, [00:05] please.")
    [('BOT', 'Now?'), ('BOT', 'At 7:45,'), ('BOT', 'please.')]
    """
    text = "\n" + text.replace("\r\n", "\n").replace("\r", "\n")
    if " --> " in text:
        text = pattern(CUE_TIMES).sub("\n", text).replace("</v>", "")
        text = pattern(CUE_VOICE).sub(r"\n\1: ", text)
    if "[" in text and pattern(TIMED).search(text):
        text = pattern(TIME_MARK).sub("\ufdd0", text)  # no character: no text has it
    found, names = [], {}                               # names: how often the unknown ones stand
    for m in pattern(LINE_MARK).finditer(text):
        opening, label = m[1], m[2].strip(" *_")
        if opening in "\n\ufdd0" or fold_label(label) in INLINE_LABELS:
            known = role_of(label) is not None
            if known or is_name(label, text[m.end():m.end() + 1]):
                found.append((m, label, known or opening == "\ufdd0"))
                names[label] = names.get(label, 0) + 1
    if any(sure for _, _, sure in found):
        found = [mark for mark in found if mark[2] or "\ufdd0" not in text]
    else:
        found = [mark for mark in found if names[mark[1]] > 1 or len(mark[1]) == 1 < len(names)]
    begins = [m.start() + (m[1] not in "\n\ufdd0") for m, _, _ in found] + [len(text)]
    head = text[:begins[0]]                             # without a time it is a heading, no turn
    pairs = [("", head.partition("\ufdd0")[2] if found else head)] + [
        (label, text[m.end():begin]) for (m, label, _), begin in zip(found, begins[1:])]
    turns = [(label, said.strip()) for label, words in pairs for said in words.split("\ufdd0")]
    return [turn for turn in turns if turn[1]]


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
ZEROS = "oh o nought naught aught nil".split()          # other names of the first
DIGIT_FILLERS = "dash hyphen uh um er erm".split()            # said between two digits of one number


def one_of(words):
    """A pattern for these words, the initial looked at first: half the time of a plain alternation.

    >>> one_of("two one three".split())
    '(?=[to])(?:t(?:wo|hree)|o(?:ne))(?![a-z])'
    """
    initials = "".join(dict.fromkeys(word[0] for word in words))
    each = "|".join(f"{initial}(?:{'|'.join(word[1:] for word in words if word[0] == initial)})"
                    for initial in initials)
    return f"(?=[{initials}])(?:{each})(?![a-z])"


DIGIT_NAME = one_of(ZEROS + DIGIT_NAMES)
REPEAT = f"(?:{'|'.join(REPEATS)})"

# What stands between two digits of one number: spaces; marks, some of them with spaces around; a line's end,
# unless a list's next marker follows and no dash told that the number goes on. A comma or full stop with a
# space behind ends an item or a sentence: it joins single digits and spelled ones, no others, so that "rooms
# 101, 102, 103" stays.
SPACE = r"[\x00-\t\x0b\x0c\x0e-\x1d\x1f \x7f]"          # controls too, but no line's end, no SPEAKER_CHANGE
LINE = r"(?:\r\n?|\n)"
LINE_END = (rf"(?:(?<=[-/])|(?<=[-/] )|(?!{LINE}{SPACE}{{0,3}}[0-9]{{1,2}}[.)]\s))"
            rf"{LINE}{SPACE}{{0,3}}")
MARK = r"(?:[-/\\()\"]|\.{2,9}(?!\.)|\.(?![\s.])|(?<![\s(])\+(?!\s)|[,;_|~*'](?!\s))"
COLON = r"(?:(?<=[0-9]{3}):|(?<![0-9]{2}):(?=[0-9](?![0-9])))"          # no clock time's
GAP = rf"(?:(?:{SPACE}{{0,3}}{MARK}){{0,16}}{SPACE}{{0,4}}(?:{LINE_END})?|{COLON})"
# between single digits, but not in "3/4, 3/5" or "6-3, 6-4"
ITEM_GAP = r"(?<![-/.:0-9][0-9])[.,;][ \t\r\n]{1,3}(?=[0-9](?![-/.:]?[0-9]))"
PAUSE = r"(?:(?!\x1e)[-\s.,;!?/()_]){1,6}"
PAUSE += f"(?:(?:{'|'.join(DIGIT_FILLERS)}){PAUSE}){{0,2}}"
SPELLED_DIGIT = rf"(?:{REPEAT}{SPACE}{{0,3}}[ -])?{DIGIT_NAME}"
NUMBER_RUN = (rf"[(+]{{0,3}}(?:[0-9]+|(?<![a-z]){SPELLED_DIGIT})"
              rf"(?:(?:{GAP}|{ITEM_GAP}|(?<=[a-z]){PAUSE}(?![0-9]{{5}}))[0-9]+"
              rf"|(?:{GAP}|(?<![0-9]{{5}}){PAUSE}){SPELLED_DIGIT})*")

# a number by itself: at most one separator between two digits, or a bracket with its space
SEPARATOR = rf"(?:\r\n|[-\r\n/\\.,+_;|~*'\"]|{SPACE})"
JOINT = rf"(?: ?\(|\)(?: \(|{SEPARATOR})?|{SEPARATOR})"
NUMBER = rf"[0-9]+(?:{JOINT}[0-9]+)*"
CALENDAR_DATE = (
    r"(?:((?:19|20)\d\d) ?[-/.] ?(\d\d?) ?[-/.] ?(\d\d?)|(\d\d?) ?[-/.] ?(\d\d?) ?[-/.] ?((?:19|20)\d\d))"
    r"(?: \d{1,2}(?=:\d|\d\d ?[ap]\.?m| ?[ap]\.?m))?(?!\d)")
AMOUNT = r"\d{1,3}(?:(?:,\d{3})+|(?:'\d{3})+)(?:\.\d\d?)?"
SPAN_END = r"(?:[0-2]?\d|3[01])[./][0-5]\d"             # "10/14 - 10/16", "9.30 - 17.30"
PHONE_SIGNS = ("#", "*", "+")       # behind these stand a masked number's last digits, or a phone's first

# What every run holds, quicker to look for than the run itself: seven digits or words that can stand among
# them, the first of which may open the text; "triple five triple one two" is the shortest.
_said = f"(?:[0-9]|{one_of(ZEROS + DIGIT_NAMES + DIGIT_FILLERS + list(REPEATS))})"
MANY_DIGITS = rf"[^a-z]{_said}(?:[^a-z0-9]{{0,40}}{_said}){{%d}}"

UNSEEN = "\0"                # what it is between two digits: nothing at all
CATEGORIES = dict(zip(      # category: the character that stands for all of its kind
    "Pd Ps Pe Pi Pf Pc Po Sk So Sc Zs Cc Cn Co Cs Zl Zp Cf Mn Me Mc".split(),
    "-()\"\"_...$     \n\n\0\0\0\0"))
LOOKALIKES = dict(zip(      # of another category than what they are used for; the last three show nothing
    "\u2018\u2019\u2212\u02d7\u2796\u2500\u30fc\u2044\u2215\u2219\u22c5\x85\u115f\u1160\u3164",
    "''-----//..\n\0\0\0"))


class DigitFolding(dict):
    """Character -> the ASCII character that it is to a reader of numbers, by its Unicode properties.

    >>> "\u2464\uff15\u0665\u2003\u2013\u3000\u2075\u00b7\uff08\u20ac".translate(DigitFolding())
    '555 - 5.($'
    """

    def __missing__(self, code):
        from unicodedata import category, normalize, numeric
        low = chr(code).lower()[0]
        if code > 127:
            form, value = normalize("NFKC", low)[0], numeric(low, -1)
            low = str(int(value)) if value in range(10) else LOOKALIKES.get(form) or (
                form if form.isascii() else CATEGORIES.get(category(low), low))
        self[code] = low
        return low


DIGIT_FOLDING = DigitFolding()


def mask_pii(text):
    """Put # for phone and account numbers, typed or spelled:
    runs of 7 digits or more, all but two characters.

    The text keeps its length. A valid calendar date with an optional clock time stays, and an amount with a
    currency sign and its thousands in threes.

    >>> mask_pii("Ring +1 (555) 555-0142 by 2026-10-14 about the $1,250,000.00.")
    'Ring ###############42 by 2026-10-14 about the $1,250,000.00.'
    >>> mask_pii("four one five, five five five, oh one nine six")
    '############################################ix'
    >>> mask_pii("rooms 101, 102, 103 on October 14, 2026, 2 p.m.")
    'rooms 101, 102, 103 on October 14, 2026, 2 p.m.'
    """
    low, places = text.lower() if text.isascii() else text.translate(DIGIT_FOLDING), None
    if UNSEEN in low and not text.isascii():
        places = [place for place, character in enumerate(low) if character != UNSEEN]
        low = low.replace(UNSEEN, "")
    if not pattern(MANY_DIGITS % (3 if any(map(low.__contains__, REPEATS)) else 5)).search(low):
        return text
    pieces, done = [], 0
    for start, end in long_runs(low):
        if places:
            start, end = places[start], places[end - 1] + 1
        pieces += text[done:start], "#" * (end - start - 2), text[end - 2:end]
        done = end
    return "".join(pieces) + text[done:]


def long_runs(low):
    """The (start, end) of every run of 7 digits or more in a folded text; what is exempt belongs to none."""
    for run in pattern(NUMBER_RUN).finditer(low):
        start, end = run.span()
        if end - start > 6 and spelled_digits(run.group()) > 6:
            stays = [*filter(exempt, pattern(NUMBER).finditer(low, start, end))]
            for number in (*stays, None):
                parts = pattern(NUMBER_RUN).finditer(low, start, number.start() if number else end)
                yield from (part.span() for part in (parts if stays else [run]) if is_long(part))
                start = number and number.end()


def exempt(number):
    """Is this number one of the shapes that are no phone number: dates, or an amount behind its sign?"""
    low, start, run = number.string, number.start(), number.group()
    return low[max(0, start - 2):start].rstrip(" ").endswith("$") and (
        pattern(AMOUNT).fullmatch(run) or spelled_digits(run) < 7) or all_dates(number)


def all_dates(number):
    """Is it nothing but valid dates, a separator between two?"""
    at, end = number.span()
    while at < end:
        date = pattern(CALENDAR_DATE).match(number.string, at)
        year, a, b, c, d, last = date.groups() if date else [None] * 6
        if not date or not (is_day(year, a, b) if year else is_day(last, c, d) or is_day(last, d, c)):
            return False
        at = date.end() + 1
    return True


def is_day(*parts):
    """Is there such a year, month and day?"""
    import datetime
    try:
        return bool(datetime.date(*map(int, parts)))
    except ValueError:
        return False


def is_long(run):
    """Does a run say seven digits or more, and is it no range of dates or clock times, no counting up?"""
    said = run.group().strip("(+")
    if spelled_digits(said) < 7 or all_dates(run) \
            or pattern(f"{SPAN_END} - {SPAN_END}").fullmatch(said):
        return False
    return not pattern("[0-9](?:, [0-9])+").fullmatch(said) or said[::3] != "".join(sorted(set(said[::3])))


def spelled_digits(run):
    """How many digits a run says, or enough of them: "double five oh 1" is four."""
    words = pattern("[a-z]+|[0-9]").findall(run[:1000])
    return sum(REPEATS.get(word, 1) for word in words) - sum(map((*REPEATS, *DIGIT_FILLERS).count, words))


# -------------------------------------------------------------------------------------- scan: numbers

Number = namedtuple("Number", "text value ordinal first last")     # decimal text, its value, "-th", its words
TYPED = r"(?!.{19})(\d{1,3}(?:,\d{3})+|\d+)([.,]\d\d?|\.\d+)?(k|st|nd|rd|th)?"
MULTIPLES = {**SCALES, **COLLECTIVES}
del MULTIPLES["k"]           # "seven zero k" is spelled; 5k is one word
LEADS = {"a": 1, "an": 1, "another": 1, "half": .5}         # "a hundred", "half a dozen"
AND_PARTS = {"and three quarters": .75, **{f"and {one}{name}": part for name, part in FRACTIONS.items()
                                           for one in ("a ", "one ", "")}}
SPELLED_NUMBERS = {**ORDINALS, **CARDINALS}
FIRST_WORDS = frozenset(SPELLED_NUMBERS) | frozenset(LEADS) | {"couple"}
MOST_SAID = 10 ** 15


def plain(value):
    """A number as plain decimal text: 45, 2.5, 1200."""
    return str(int(value)) if value == int(value) else f"{value:.4f}".rstrip("0")


def is_decimal(text):
    """Is this plain decimal text: "45", "2.5"?"""
    return text.replace(".", "", 1).isdecimal()


def key_of(text):
    """The form in which decimal texts are compared: only trailing zeros fall, a code keeps its leading ones.

    >>> key_of("45.00"), key_of("2.50"), key_of("1200"), key_of("0642")
    ('45', '2.5', '1200', '0642')
    """
    return text.rstrip("0").rstrip(".") if "." in text else text


def read_spelled(text, i, most=MOST_SAID):
    """(value, next word, is it an ordinal?) of the number words from word i on, below a bound, or None.

    Each word leaves room for smaller numbers behind it: "forty-two", "two thousand and five",
    "twenty-two hundred", "half a dozen", "a hundred and eleventh".
    """
    words, value, room, j = text.words, SPELLED_NUMBERS.get(text.words[i], most), 0, i + 1
    ordinal = words[i] in ORDINALS
    if words[i] in LEADS:
        value, j = LEADS[words[i]], j + (words[j] == "a")
    elif words[i] == "couple" and words[j] == "of":
        value, j = 2, j + 1
    elif value < most:
        room = 10 if value > 19 else 0
    else:
        return None
    while text.linked(j) and not ordinal:
        word, scale = words[j], MULTIPLES.get(words[j])
        if scale and scale < most > 100:
            value, room, j = value * scale, 0 if scale < 100 else scale, j + 1
            most = most if scale < 101 else 0               # "two thousand thousand" is no number
            j += scale < 100 and words[j] == "of"
            continue
        joined = word in ("and", "an") and words[j - 1] in SCALES
        rest = read_spelled(text, j + joined, room) if room and (joined or word in SPELLED_NUMBERS) else None
        if not rest or not rest[0] or joined and words[rest[1]] in CARDINALS:
            # "between a hundred and one twenty" has two numbers
            break
        value, j, ordinal, room = value + rest[0], rest[1], rest[2], 0
    return None if words[j - 1] in LEADS else (value, j, ordinal)


def read_cardinal(text, i):
    """The number that begins at word i, typed or spelled, a cardinal or an ordinal, or None.

    >>> [read_cardinal(Text(said), 0).text for said in ("a hundred and five", "twenty-two hundred",
    ...  "45.50", "three point oh five", "two and a half thousand", "half a dozen", "1.5k", "forty two",
    ...  "1,200", "21st")]
    ['105', '2200', '45.50', '3.05', '2500', '6', '1500', '42', '1200', '21']
    """
    words, word, digits = text.words, text.words[i], None
    if word > ":" and word not in FIRST_WORDS:
        return None
    if word < ":":
        typed = pattern(TYPED).fullmatch(word)
        if not typed:
            return None
        digits = typed[1].replace(",", "") + (typed[2] or "").replace(",", ".")
        value, end, ordinal = float(digits) if typed[2] else int(digits), i + 1, typed[3] not in (None, "k")
        if typed[3] == "k":
            value, digits = value * 1000, None
    else:
        said = read_spelled(text, i)
        if not said:
            return None
        value, end, ordinal = said
        while (digits or words[end] == "point") and text.linked(end):
            said = read_spelled(text, end + (not digits), 100)
            if not said:
                break
            digits, end = (digits or f"{plain(value)}.") + str(said[0]), said[1]
        value = float(digits) if digits else value
    size = 2 if words[end + 2] in MULTIPLES else 3          # "two and half lakhs"
    part = words[end] == "and" and AND_PARTS.get(" ".join(words[end:end + size]))
    if part:
        value, end, digits = value + part, end + size, None
    elif digits and digits.isdecimal() and text.gaps[end] == " " and fraction_at(text, end):
        value, end, digits = value + fraction_at(text, end), end + 1, None              # "2 5/16 inches"
    if words[end] in MULTIPLES and text.linked(end):        # not "… is forty-five." "Hundred and ten."
        value, end, digits = value * MULTIPLES[words[end]], end + 1, None
    return None if "*" in text.gaps[end] else Number(digits or plain(value), value, ordinal, i, end)


def read_numbers(text, i):
    """The numbers said side by side from word i on:
    "six forty-two" is [6, 42], "nine double two" [9, 2, 2]."""
    if i in text.cache:
        return text.cache[i]
    found, j, words = [], i, text.words
    while len(found) < 12 and (j == i or text.gaps[j] in LINKS):
        times = REPEATS.get(words[j], 1)
        one = read_cardinal(text, j + (times > 1))
        if not one or times > 1 and len(one.text) > 1 or words[j:j + 2] == ["o", "clock"] or found and (
                one.ordinal or words[j] in LEADS or text.gaps[i][-1:] in CURRENCIES
                or "." in one.text + found[-1].text or (words[j] < ":") != (words[found[-1].first] < ":")):
            break                                           # "three 1500-watt heaters" is no 31500
        if found and text.gaps[one.last][:1] == "-" and words[one.last] not in NUMBER_WORDS:
            break                                           # "two forty-foot boxes"
        found += [one] * times
        j = one.last
    text.cache[i] = found
    return found


def readings_of(numbers):
    """What numbers said side by side can mean together, as {key: rule}; the last two digits may be cents.

    >>> said = lambda words: list(readings_of(read_numbers(Text(words), 0)))
    >>> said("forty five"), said("two fifty"), said("two oh nine three"), said("eighteen oh five")
    (['45'], ['250', '2.5'], ['2093'], ['1805', '18.05'])
    """
    if len(numbers) == 1:
        return {key_of(numbers[0].text): None}
    texts = [number.text for number in numbers]
    whole, joined = "".join(texts[:-1]), "".join(texts)
    if len(texts) == 3 and texts[1] == "0":
        whole = texts[0]                                    # "eighteen oh five"
    if len(joined) - len(whole) == 2 and whole[0] != "0" and len(whole) < 4:
        return {joined: "ambiguous_reading", key_of(whole + "." + joined[-2:]): "ambiguous_reading"}
    return {joined: None}


def cut_short(text, number):
    """The other reading of an amount whose last scale may have been left out.

    >>> text = Text("three thousand eight")
    >>> cut_short(text, read_cardinal(text, 0))
    {'3800': 'ambiguous_reading'}
    """
    words, last = text.words, number.last
    scale, digit = SCALES.get(words[last - 2], 0), CARDINALS.get(words[last - 1], 10)
    if last - number.first < 3 or scale < 1000 or digit > 9:
        return {}
    return {plain(number.value - digit + digit * scale / 10): "ambiguous_reading"}


# words that end the phrase behind a number, in which its unit stands
NO_UNITS = FUNCTION_WORDS | NOT_UNITS | NUMBER_WORDS | DETERMINERS | RATES.keys() | MERIDIEMS.keys() \
    | {"second", "won"}
ALL_UNITS = {**UNITS, **CURRENCIES}
BEFORE_ONE = ONE_COUNTS | CLOCK_CUES | CODE_LABELS
NO_COUNT = NOT_UNITS | FUNCTION_WORDS | {"more"}            # behind these "one" is no count


def unit_after(text, i):
    """The unit that the words from i on give a number, as (unit, end), or (None, i).

    A known unit may stand behind two more words of the phrase ("two round trip tickets"); a plural that is in
    no table makes a THING.
    """
    words, unit, end = text.words, None, i
    if text.gaps[i][:1] == "%":
        return "percent", i
    if words[i] == "per" and words[i + 1] == "cent":
        return "percent", i + 2
    for j in range(i, min(i + 3, text.size)):
        word = words[j]
        if word in NO_UNITS or word < ":" or not text.linked(j):
            break
        if word in ALL_UNITS:
            return ALL_UNITS[word], j + 1
        if not unit and word.endswith("s") and len(word) > 3 and word[-2] != "s":
            unit, end = THING, j + 1
    return unit, end


def unit_before(text, i):
    """The unit that stands before a number: a party of 4, room 204, order number 48213, No. 5."""
    words = text.words
    if words[i - 1] in ("of", "for") and words[i - 2] in ("party", "group", "table"):
        return "person"
    if words[i - 3] == "the" and words[i - 2] not in CODE_LABELS and words[i - 1] != "number":
        return None                                         # "the upper floor 128" may be its price
    if words[i - 1] == "flat" and words[i - 2] in ("a", "the"):
        return None                                         # "a flat one fifty"
    label = words[i - 1]                                    # "the room is 170" may tell its price
    named = label in CODE_LABELS and "," not in text.gaps[i] and (label != "no" or text.gaps[i][:1] == ".")
    return CODE if named else None


def rate_after(text, i):
    """What an amount that ends before word i is for, "total", "each", "night"…, or None;
    and the end of those words."""
    words, rate = text.words, RATES.get(text.words[i]) if text.linked(i) else None
    if rate:
        return rate, i + 1
    if rate == "" and text.linked(i + 1):
        return UNITS.get(words[i + 1], words[i + 1]), i + 2
    j = i + (words[i] in ("in", "all"))
    return ("total", j + 1) if words[j] in TOTALS and text.gaps[i] in SOFT else (None, i)


def read_cents(text, i):
    """(cents, end) behind "thirty dollars": "fifteen", "and fifty cents"; or (None, i)."""
    joined = text.words[i] == "and"
    part = read_cardinal(text, i + joined) if text.linked(i) else None
    if not part or part.value not in range(1, 100):
        return None, i
    said = text.words[part.last] in CENTS
    alone = not joined and part.value > 9 and not has_unit(text, part.last)
    return (int(part.value), part.last + said) if said or alone else (None, i)


def equal_amounts(keys, value, unit):
    """Add the key under which equal amounts in other units meet: 48 hours and two days."""
    dimension, size = UNIT_SIZES.get(unit, (None, 1))
    if dimension not in (None, unit):
        keys["=" + dimension + plain(value * size)] = "unit_conversion"


def counted(value, unit, first, last, rule=None):
    """The mention of an amount: a number with its unit."""
    keys = {key_of(value): rule}
    equal_amounts(keys, float(value), unit)
    return Mention(NUMERIC, value, keys, unit, None, first, last)


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
    if not numbers or is_pronoun(text, i, numbers[-1].last):
        return None
    words, end, per, single = text.words, numbers[-1].last, None, len(numbers) == 1
    keys, value, (unit, last) = readings_of(numbers), numbers[0].value, unit_after(text, end)
    shown = numbers[0].text if single else next(iter(keys))
    if unit == THING and (not single and (words[last] in NUMBER_WORDS or words[last] < ":") or words[last] == "are"):
        unit, last = None, end                              # "harps one sixty five lutes one thirty", "two hundred bushes are four"
    label, sign = unit_before(text, i), CURRENCIES.get(text.gaps[i][-1:]) or (
        words[i - 1] if words[i - 1] in CURRENCY_CODES else None)
    if label == CODE and text.gaps[i - 1] == " " and text.raw[text.starts[i - 1]].isupper():
        unit, last = CODE, end                              # "a Class 3 seat", "two Grade 5 pupils"
    if words[end] in CENTS and text.linked(end) and value < 1000:
        shown, unit, last = f"{value / 100:.2f}", CENTS[words[end]], end + 1
        keys = {key_of(shown): "unit_conversion"}
    elif unit in CURRENCY_CODES and "." not in shown:
        cents, last = read_cents(text, last)
        if cents:
            shown = f"{shown}.{cents:02d}"
            keys = {key_of(shown): None}
    unit, end = (sign, end) if sign and unit not in CURRENCY_CODES else (unit, last)
    if unit is None or unit in CURRENCY_CODES:
        per, end = rate_after(text, end)
    unit = unit or label
    if len(keys) == 2 and (per or unit in CURRENCY_CODES or unit is None and words[i - 1] in PRICE_CUES):
        keys = dict(reversed(list(keys.items())))           # a price in two parts is dollars and cents first
        shown = f"{float(next(iter(keys))):.2f}"
    if single and (unit is None or unit in CURRENCY_CODES):
        keys.update(cut_short(text, numbers[0]))
    if not COLLECTIVES.keys().isdisjoint(words[i:numbers[0].last]):
        keys = dict.fromkeys(keys, "unit_conversion")
    if single:
        equal_amounts(keys, value, unit)
    return Mention(NUMERIC, shown, keys, unit, per, i, end)


def is_pronoun(text, i, end):
    """Is this "one" no number ("the other one", "one of the"), or a lone "oh"?"""
    words, before, after = text.words, text.words[i - 1], text.words[i + 1]
    if end > i + 1 or words[i] != "one":
        return end == i + 1 and words[i] in ("oh", "o")
    if before in PRONOUN_ONE_AFTER or after in IDIOMS or after == "more":
        return True
    alone = text.gaps[i] not in LINKS and text.gaps[end] not in LINKS
    ranges = after in RANGE_WORDS and words[end + 1] in CARDINALS \
        or before == "and" and words[i - 2] in CARDINALS    # "one to three", "between eleven and one"
    return not (alone or before in BEFORE_ONE or ranges or text.linked(end) and after not in NO_COUNT)


# ---------------------------------------------------------------------------------- scan: clock times

# half "am", "pm" or None; sure: said as a time of day
Time = namedtuple("Time", "hour minute half sure last")
TYPED_TIME = r"([01]?\d|2[0-3]|24(?=:00$))(?:[:.]?([0-5]\d))?(?::[0-5]\d)?(?:([ap])\.?m)?h?"
PAIR = r"(?!24/7$|1/2$)(\d+(?:[.:]\d+)?)([-/])(\d+(?:[.:]\d+)?(?:[ap]\.?m)?)"
SPAN_CUES = word_set("from between open hours weekdays weekends mondays saturdays sundays")
RANGE_WORDS = word_set("to till til until and or through thru")
PAST_OR_TO = PAST | TO
HOURS_TOO = ("five", "ten")     # minutes before "to" that may be an hour: "Sunday ten to two"
OCLOCK = ("o'clock", "oclock", "clock")
HALVES = {**DAY_PARTS, "am": "am", "pm": "pm"}
SAYS_DAY = RELATIVE_DAYS.keys() | WEEKDAYS.keys() | {"this"}
BEFORE_PARTS = (HALF_LINKS | WEEKDAYS.keys()) - DAY_PARTS.keys()        # "on Friday" evening
BEFORE_TIMES = (HALF_LINKS | CLOCK_CUES | {"say"}) - {"until", "till", "to"} - DAY_PARTS.keys()
OTHER_HALF = {"am": "pm", "pm": "am"}


def half_after(text, i):
    """The half of the day said behind a time, as (half, end), or (None, i):
    p.m., in the morning, on Friday evening; words that also say a day are left to their own reader."""
    words, j = text.words, i
    while words[j] in BEFORE_PARTS and text.gaps[j] in SOFT and j < i + 3:
        j += 1
    split = words[j + 1] == "m"
    half = HALVES.get(words[j] + "m" * split)
    if not half or text.gaps[j] not in SOFT:
        return None, i
    return half, j + 1 + split if SAYS_DAY.isdisjoint(words[i:j + 1]) else i


def half_before(text, i):
    """The half of the day said before a time in its phrase, or None:
    tomorrow morning at eight, Friday evening, say seven."""
    words, j = text.words, i - 1
    while j > i - 4 and words[j] in BEFORE_TIMES:
        j -= 1
    return DAY_PARTS.get(words[j]) if text.linked(j + 1) and words[j - 1] != "good" else None


def to_hour(hour, half):
    """An hour of the 24 from one of the 12 and its half of the day."""
    if half == "night":
        half = "am" if hour < 5 else "pm"
    return hour % 12 + (12 if half == "pm" else 0)


def clock_mention(time, first):
    """The mention of a time of day from word `first` on; of two possible halves the likelier is first."""
    hour = time.hour % 24
    halves = [time.half] if time.half else ["am", "pm"] if 6 < hour < 12 else ["pm", "am"]
    hours = [to_hour(hour, half) for half in halves] if 0 < hour < 13 else [hour]
    keys = {f"{hour:02d}:{time.minute:02d}": "ambiguous_reading" if hours[1:] else None for hour in hours}
    return Mention(DATE_TIME, next(iter(keys)), keys, None, None, first, time.last)


def first_of_span(time, last):
    """The first end of a span of times in the half of the day that the last one implies."""
    half = last.half if time.hour % 12 <= last.hour % 12 else OTHER_HALF.get(last.half, "pm")
    return time._replace(half=half, sure=True) if last.half and not time.half and time.hour < 13 else time


def has_unit(text, i):
    """Do the words from i on say what a number counts?"""
    return bool(unit_after(text, i)[0])


def typed_time(word, last):
    """A time in digits: 14:00, 2:30p.m, 2pm, 415, 9.30, 1430, or None; sure if nothing else is meant."""
    match = pattern(TYPED_TIME).fullmatch(word)
    if not match:
        return None
    hour, half, sure = int(match[1]), MERIDIEMS.get(match[3]), ":" in word
    if sure and not half and word[0] == "0" and hour:
        half = "am"                                         # 07:20 is written with 24 hours
    return Time(hour, int(match[2] or 0), half, sure or bool(half), last)


def spoken_time(numbers):
    """A time in words, or None; not sure to be one: two thirty, seven oh five, nineteen hundred, six."""
    if not numbers or numbers[0].ordinal:
        return None
    if numbers[1:] and not numbers[0].value and numbers[1].value > 99:
        numbers = numbers[1:]                               # "oh nine hundred"
    hour, tail = numbers[0].value, "".join(number.text for number in numbers[1:])
    if not hour % 100:
        hour //= 100
    if hour not in range(25) or tail and (len(tail) != 2 or tail > "59"):
        return None
    return Time(int(hour), int(tail or 0), None, False, numbers[-1].last)


def read_past(text, i):
    """Times said from the full hour: half past two, quarter to five, ten (minutes) past six, half eight."""
    words, j = text.words, i + 1
    minute = {"half": 30, "quarter": 15}.get(words[i])
    if not minute:
        numbers = read_numbers(text, i)
        if len(numbers) != 1 or numbers[0].value not in range(1, 60):
            return None
        minute, j = int(numbers[0].value), numbers[0].last
        if UNITS.get(words[j]) == "minute":
            j += 1
        elif minute % 5 or words[i] < ":" and words[i - 1] != "at" or words[i - 1] in SPAN_CUES:
            return None                                     # "four to six", "from ten to twelve": hours
    last, late = j + (words[j] in PAST_OR_TO), words[j] in TO
    if not text.linked(j) or last == j and (words[i] != "half" or words[j] not in CARDINALS):
        return None                                         # "half a dozen"
    time = find_time(text, last) if words[last] in CLOCK_WORDS else spoken_time(read_numbers(text, last)[:1])
    if not time or not 0 < time.hour < 13 or time.minute or not time.sure and has_unit(text, time.last):
        return None                                         # "ten to twenty"
    return time._replace(minute=60 - minute if late else minute, hour=time.hour - late or 12, sure=True,
                         half=OTHER_HALF.get(time.half) if late else time.half)     # "twenty to noon"


def read_time(text, i):
    """A time of day that begins at word i, or None; not sure where only a number was said."""
    if ~i not in text.cache:
        text.cache[~i] = find_time(text, i)
    return text.cache[~i]


def find_time(text, i):
    """What read_time returns, worked out: several readers ask for it."""
    words, word = text.words, text.words[i]
    if word in CLOCK_WORDS:
        return Time(12, 0, "am" if word == "midnight" else "pm", True, i + 1)
    if text.gaps[i] == "-" and len(words[i - 1]) == 1:
        return None                                         # "her W-2 tonight", "unit B-118"
    time = read_past(text, i) or (
        typed_time(word, i + 1) if word < ":" else spoken_time(read_numbers(text, i)))
    label = time and not time.sure and unit_before(text, i)
    if not time or label == "person" or label and len(word) > 2 and word.isdecimal():
        return None                                         # "a group of 11 on Friday", "room 418 to 1 PM"
    j = time.last
    split = words[j] == "o"
    if words[j + split] in OCLOCK:
        j += 1 + split
        time = time._replace(sure=True, last=j)
    elif words[j] in CLOCK_WORDS and time.hour == 12:       # "twelve noon"
        return find_time(text, j)
    elif words[j] in ("hours", "hrs") and (len(word) == 4 and word.isdecimal() or words[j - 1] == "hundred"):
        return time._replace(half="pm" if time.hour > 11 else "am", sure=True, last=j + 1)
    if time.half or time.hour > 12 or not time.sure and has_unit(text, j):
        return time
    half, last = half_after(text, j)
    if word == "one" and half and last == j + 1 and words[i - 1] not in CLOCK_CUES:
        return time                                         # "turned down one afternoon"
    if time.hour == 12 and words[last - 1] == "morning":
        half = "pm"                                         # "between ten and twelve in the morning"
    if not half and not is_pronoun(text, i, j):
        half = half_before(text, i)
    return time._replace(half=half, sure=True, last=last) if half else time


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
    time = read_time(text, i)
    if not time:
        return None
    words, j = text.words, time.last + (text.words[time.last] in RANGE_WORDS)
    if text.gaps[time.last] in SOFT and (j > time.last or text.gaps[j] in ("-", " - ")):
        time = first_of_span(time, read_time(text, j) or time)
    told = clock_mention(time, i)
    if words[i] in HOURS_TOO and words[i + 1] == "to" and words[i - 1] not in CLOCK_CUES:
        for hour in (CARDINALS[words[i]], (time.hour + 1) % 12 or 12):
            told.keys.update(dict.fromkeys(clock_mention(Time(hour, 0, None, True, 0), i).keys, "ambiguous_reading"))
    return [told] if time.sure else None


def read_pair(text, i):
    """Both ends of a pair in digits: 9-11am, 2-4 behind "from", otherwise numbers: 30-40, 4/5.

    >>> explain("9-11am, from 2-4, 30-40 dollars, 10-15%", read_pair)
    9-11am -> 09:00
    9-11am -> 11:00
    2-4 -> 14:00
    2-4 -> 16:00
    30-40 dollars -> 30 usd
    30-40 dollars -> 40 usd
    10-15 -> 10 percent
    10-15 -> 15 percent
    """
    word, before = text.words[i], text.words[i - 1]
    pair = None if word.isdecimal() else pattern(PAIR).fullmatch(word)
    if not pair:
        return None
    first, sign, second = pair.groups()
    one, other = typed_time(first, i + 1), typed_time(second, i + 1)
    if sign == "-" and one and other and not has_unit(text, i + 1):
        if not other.half:
            half, last = half_after(text, i + 1)
            one, other = one._replace(last=last), other._replace(half=half, last=last)
        if other.half or ":" in word or (before in CLOCK_CUES or before in WEEKDAYS) and len(word) < 6:
            return [clock_mention(time, i) for time in (first_of_span(one, other), other)]
    if not is_decimal(first) or not is_decimal(second) or text.gaps[i][-1:] in PHONE_SIGNS:
        return None
    part, (unit, last) = fraction_at(text, i), unit_after(text, i + 1)
    if part:
        return [counted(plain(part), unit, i, last)]
    return [counted(part, unit, i, last) for part in (first, second)]


# ---------------------------------------------------------------------------------------- scan: dates

TYPED_DATE = r"(?!24/7$)(?:((?:19|20)\d\d)[-/.])?(\d\d?)([-/.])(\d\d?)(?:\3((?:19|20)?\d\d))?t?"
PAIR_OF_DAYS = r"(\d\d?)(?:st|nd|rd|th)?-(\d\d?)(?:st|nd|rd|th)?"
RATINGS = word_set("rated rating ratings rates rate score scored scores scoring scale stars")
MONTHLIKE = frozenset(MONTHS) | {"month"}
# "of next month": how many months ahead; "next Friday": how many weeks after the coming one
AHEAD = {"next": 1, "following": 1, "coming": 1, "last": -1, "previous": -1, "this": 0, "current": 0,
         "the": 0}
WEEKS = {"next": (0, 1), "following": (0, 1), "this": (0,), "coming": (0,), "last": (-1,), "past": (-1,)}
WEEKS_ON = {"week": 1, "fortnight": 2}
# said on a Friday, "Friday" is today or in a week, and the next one is not today
ON_THE_DAY = {(0,): (0, 1), (0, 1): (1,)}
NAMED_DAYS = ("today", "tomorrow", "yesterday")             # by the days from the call on: 0, 1, -1
BEFORE_DAYS = (CLOCK_CUES | WEEKDAYS.keys() | {"on", "for"}) - {"about", "around"}         # "on" the first
# "by the 20th depending on …" is a day, "the 20th floor" none
BEHIND_DAYS = (CLASSES.keys() | FUNCTION_WORDS | RELATIVE_DAYS.keys() | word_set(
    "depending provided thanks suits subject pending thats morning afternoon evening")
               ) - {"one", "ones"}
# amounts of time with no number, by the words before the unit
LEADS_OF_TIME = {"half an": .5, "half a": .5, "quarter of an": .25, "quarters of an": .75, "half": .5,
                 "1/2": .5, "a": 1, "an": 1, "another": 1, "within the": 1}
AMOUNT_CUES = word_set("in for within about over under of takes lasts take took last than least after "
                        "roughly around nearly almost only just another")
MINUTES_SAID = frozenset(str(minute) for minute in range(5, 60, 5))
SINCE_CALL = ("in", "within", "after")
FRACTION, INCH_SIGNS = r"(\d+)/(2|3|4|8|16)", ("\"", "\u2033", "\u201d")
PARTED = {"x", "cup", "cups", *(word for word, unit in UNITS.items() if UNIT_SIZES[unit][0] in (
    "mass", "ounces", "inches", "length", "volume", "gallon", "pint", "acre"))}
AMOUNT_TAILS = {"ago", "from", "after"} | RELATIVE_DAYS.keys()
PER_TIME = word_set("times time once twice p cents") | CURRENCIES.keys() | NUMBER_WORDS


def day_key(date):
    """A date as the canonical value: oct 14."""
    return f"{MONTH_NAMES[date.month - 1]} {date.day}"


def day_keys(months, days, rule=None):
    """The keys of days of months that have such days: {"oct 14": rule}."""
    return {f"{MONTH_NAMES[month - 1]} {day}": rule
            for month in months for day in days if valid_day(month, day)}


def valid_day(month, day):
    return 0 < month < 13 and 0 < day <= MONTH_DAYS[month - 1]


def date_mentions(month, days, year, first, last):
    """The mentions of days of a month; a year, when said, is their unit: two years do not meet."""
    return [Mention(DATE_TIME, key, {key: None}, year, None, first, last) for key in day_keys([month], days)]


def read_day(text, i):
    """The Number of a day of the month: 14, 14th, fourteenth, twenty-first, the 14th; or None."""
    one = read_cardinal(text, i + (text.words[i] == "the"))
    return one if one and one.value in range(1, 32) else None


def read_days(text, i):
    """([day, …], next word) of one day of the month or both ends: 14, 5 to 16, 5-16, the 20th and 21st."""
    words = text.words
    pair = pattern(PAIR_OF_DAYS).fullmatch(words[i])
    if pair:
        return [int(day) for day in pair.groups()], i + 1
    one = read_day(text, i)
    if not one:
        return [], i
    j = one.last + (words[one.last] in RANGE_WORDS)
    other = read_day(text, j) if text.linked(one.last) and (j > one.last or "-" in text.gaps[j]) else None
    if not other or has_unit(text, other.last) or words[other.last] in MERIDIEMS \
            or words[j - 1] in ("and", "or") and not other.ordinal:
        return [int(one.value)], one.last
    return [int(one.value), int(other.value)], other.last


def read_year(text, i):
    """(year, end) behind a date: 2026, twenty twenty-six, two thousand twenty-six; or (None, i)."""
    numbers = read_numbers(text, i)[:2] if text.gaps[i] in SOFT else ()
    said = "".join(number.text for number in numbers)
    return (said, numbers[-1].last) if len(said) == 4 and said[:2] in ("19", "20") else (None, i)


def read_month(text, i):
    """(month, end) of a month's name, or, behind "of" and with a call date, of next month, the month;
    or (None, i)."""
    words = text.words
    if words[i] in MONTHS:
        return MONTH_NAMES.index(MONTHS[words[i]]) + 1, i + 1
    if words[i + 1] == "month" and words[i] in AHEAD and words[i - 1] in ("of", "in") and text.dates:
        return (text.dates[0].month - 1 + AHEAD[words[i]]) % 12 + 1, i + 2
    return None, i


def read_month_day(text, i):
    """(month, days, end) of October 14(th), Oct. 14, October the fourteenth, August 5 to 16; or None."""
    month, j = read_month(text, i)
    days, end = read_days(text, j) if text.linked(j) or text.gaps[j] == ". " else ([], j)
    if not days or read_year(text, j)[0]:
        return None                                         # "November twenty twenty-four" has no day
    one = read_day(text, j)
    if one and days[1:] and text.words[end] in MONTHS:
        return month, days[:1], one.last                    # "August 30 to 2 September"
    return month, days, end


def read_day_month(text, i):
    """(month, days, end) of 14 October, the 14th of October, the 14th day of May, 5 to 16 August; or None."""
    words, (days, end) = text.words, read_days(text, i)
    j = end + 2 * (words[end:end + 2] == ["day", "of"])
    j += words[j] == "of"
    month, last = read_month(text, j)
    if not month or not text.linked(end):
        return None
    behind = read_day(text, last)
    if behind and words[last] == "the" and not behind.ordinal:
        behind = None                                       # "from 2 November the 12 loaves"
    if j == end and (behind and (words[i].isdecimal() and read_month_day(text, j) or behind.ordinal and not days[1:]
                                 and words[i] in CARDINALS)
                     or words[i] in CARDINALS and words[last][-1:] == "s" and words[last] not in NO_UNITS and text.linked(last)
                     or words[j] == "may" and (words[last] in ("be", "work", "not", "have")
                                              or text.raw[text.starts[j]] == "m" and not text.raw.islower())):
        return None                                         # "for 2 March 4th", "five March lessons", "the 14th may work", "One may come"
    return month, days, last


def fraction_at(text, i):
    """The value of a part of a measure in digits: "1/4 lb", "3/4-inch", "1/2 x 3"; or None."""
    match = pattern(FRACTION).fullmatch(text.words[i])
    part = match and int(match[1]) / int(match[2])
    return part if match and part < 1 and (
        text.words[i + 1] in PARTED and text.linked(i + 1) or text.gaps[i + 1][:1] in INCH_SIGNS) else None


def read_typed_date(text, i):
    """10/14, 10/14/2026, 14.10.2026, 2026-10-14; in a day-first record 4/10 is the fourth of October."""
    match = pattern(TYPED_DATE).fullmatch(text.words[i])
    if not match or text.words[i - 1].isdecimal() and text.gaps[i] == " ":
        return []                                           # "3 5/8"
    before, month, sign, day, after = match.groups()
    month, day, year = int(month), int(day), before or after
    if not year and (sign != "/" or month <= day in (5, 10) and (
            month == day or not RATINGS.isdisjoint(text.words[slice(*text.sentence(i))]))):
        return []                                           # "workmanship: 5/5", "rated the visit 4/5"
    if fraction_at(text, i):
        return []
    if not before and valid_day(day, month) and (text.day_first or sign == "." or not valid_day(month, day)):
        month, day = day, month
    return date_mentions(month, [day], year and ("20" + year)[-4:], i, i + 1)


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
    words, found = text.words, None
    if not MONTHLIKE.isdisjoint(words[i:i + 12]):
        found = read_month_day(text, i) if words[i] in MONTHS else read_day_month(text, i)
    if found:
        month, days, last = found
        year, last = read_year(text, last)
        return date_mentions(month, days, year, i, last)
    return read_typed_date(text, i) if words[i] < ":" and not words[i].isdecimal() else None


def shift(dates, days):
    """The dates so many days later."""
    from datetime import timedelta
    return [date + timedelta(days) for date in dates]


def relative_mention(said, dates, first, last, value=None):
    """A date said relative to the call: its words meet the same words, its dates need the call's date."""
    keys = {**({said: None} if said else {}), **dict.fromkeys(map(day_key, dates), "call_date")}
    return Mention(DATE_TIME, value or (day_key(dates[0]) if dates else said), keys, None, None, first, last)


def coming(text, weekday, weeks, calendar=False):
    """The dates of a weekday so many weeks after it next comes, counted from the call's date,
    or in the calendar's weeks."""
    days, today = [], text.dates[:1]
    for date in today:
        ahead = WEEKDAY_NAMES.index(weekday) - date.weekday()
        if not calendar:
            ahead, weeks = ahead % 7, weeks if ahead else ON_THE_DAY.get(weeks, weeks)
        days = [ahead + 7 * week for week in weeks]
    return [date for n in days for date in shift(today, n)]


def read_weekday(text, i):
    """Weekdays; with a call date also the dates they can mean:
    next Friday is the coming one or the one after.

    >>> explain("Wednesday or Weds, not on Saturdays", read_weekday)
    Wednesday -> wednesday
    Weds -> wednesday
    Saturdays -> saturday
    """
    words, word, last = text.words, text.words[i], i + 1
    if word in SHORT_WEEKDAYS and words[i - 1] not in ("on", "next", "this") \
            and not text.raw[text.starts[i]].isupper() and not (
                words[i - 1] in RANGE_WORDS and words[i - 2] in WEEKDAYS
                or words[i + 1] in RANGE_WORDS and words[i + 2] in WEEKDAYS):
        return None
    weekday, before, first = WEEKDAYS[word], words[i - 1] if text.linked(i) else "", i
    behind, weeks = last + (words[last] == "of"), (0,)
    week = WEEKS.get(words[behind] if words[behind + 1] == "week" else before == "week" and words[i - 2])
    if week:                                                # Friday of next week, next week Friday
        weeks, last = week[-1:], last if before == "week" else behind + 2
    elif before in WEEKS:
        weeks, first = WEEKS[before], i - 1
    elif words[i - 3:i] == ["a", "week", "from"] or words[i - 3] == "a" and words[i - 1] == "on" \
            or words[last] in WEEKS_ON:                     # "Friday week", "a week on Friday"
        weeks = (WEEKS_ON.get(words[last]) or WEEKS_ON.get(words[i - 2], 0),)
    dates = coming(text, weekday, weeks, bool(week))
    return [relative_mention(weekday, dates, first, last, weekday if first == i else None)]


def read_relative(text, i):
    """today, this evening, tomorrow, the day after tomorrow; needs the call's date to be a date."""
    words, days = text.words, RELATIVE_DAYS.get(text.words[i])
    if days is None:                                        # a part of the day
        return [relative_mention("today", text.dates, i - 1, i + 1)] if words[i - 1] == "this" else None
    said = NAMED_DAYS[days]
    if days and words[i - 2:i] == ["day", "after" if days > 0 else "before"]:
        return [relative_mention(f"day {words[i - 1]} {said}", shift(text.dates, 2 * days), i - 2, i + 1)]
    weeks = WEEKS_ON.get(words[i + 1], 0) if text.linked(i + 1) else 0
    if weeks:
        said = f"{said} {words[i + 1]}"                     # "tomorrow fortnight"
    return [relative_mention(said, shift(text.dates, days + 7 * weeks), i, i + 1 + (weeks > 0))]


def read_nth(text, i):
    """The third Monday of October, the last day of the month, this year's and next year's;
    i is the weekday or "day"."""
    words, weekday, found = text.words, WEEKDAYS.get(text.words[i]), []
    joint = words[i + 1] == "of" or words[i + 1] == "in" and weekday        # no date: "my first day in May"
    month, last = read_month(text, i + 2) if joint and text.dates else (None, i)
    nth = read_cardinal(text, i - 1) if month else None
    if not month or words[i - 1] != "last" and not (nth and nth.ordinal) or read_day(text, last):
        return None                                         # "his last day of April 11"
    for year in (text.dates[0].year, text.dates[0].year + 1):
        month_long = [day for n in range(31) for day in shift([text.dates[0].replace(year, month, 1)], n)
                      if day.month == month and weekday in (None, WEEKDAY_NAMES[day.weekday()])]
        found += month_long[int(nth.value) - 1:][:1] if nth else month_long[-1:]
    return [relative_mention(None, found, i - 1, last)] if found else None


def read_ordinal(text, i):
    """Ordinals: a day of this month or the next behind "the" or a weekday, where nothing is counted,
    or of any month when no date is known; others count.

    >>> explain("the third floor, 21st Street, forty-second, one hundred and eleventh, Monday 20th",
    ...         read_ordinal)
    third -> 3
    21st -> 21
    forty-second -> 42
    one hundred and eleventh -> 111
    20th -> day 20
    """
    numbers, words, before = read_numbers(text, i), text.words, text.words[i - 1]
    if not numbers or not numbers[0].ordinal:
        return None
    one = numbers[0]
    months = range(1, 13)
    if text.dates:
        month = text.dates[0].month
        months = [month, month % 12 + 1][::-1 if one.value < text.dates[0].day else 1]
    keys, after, opens = day_keys(months, [int(one.value)], "call_date"), words[one.last], words[i - 2]
    head = text.linked(one.last) and after not in BEHIND_DAYS and not after < ":"
    counts = head and (opens != "on" or one.value < 4 or after in SPELLED_ORDINAL_HEADS) \
        or one.value < 4 and words[i] > ":" and opens not in BEFORE_DAYS    # "the first would be better"
    if keys and (before == "the" or before in WEEKDAYS) and text.gaps[i] in SOFT and not counts:
        value = next(iter(keys)) if text.dates else f"day {one.text}"
        return [Mention(DATE_TIME, value, keys, None, None, i, one.last)]
    mention = counted(one.text, None, i, one.last)
    if text.dates and one.value > 3 and (not text.linked(one.last) or after in FUNCTION_WORDS):
        mention.keys.update(dict.fromkeys(keys, "ambiguous_reading"))       # "Twentieth and 21st, yes"
    return [mention]


def relative_base(text, first, i):
    """From which dates an amount of days or weeks counts, which way, and where those words end.

    "in …", "… from Monday", "… ago": (dates, 1 or -1, end); no dates where nothing says so.
    """
    words, j = text.words, i + (text.words[i] in ("from", "after"))
    since = words[first - 1] in SINCE_CALL
    if words[i - 1] in ("night", "nights") or not text.linked(i) and not since:
        return [], 1, i
    if words[i] == "ago":
        return text.dates, -1, i + 1
    if words[j] in RELATIVE_DAYS and (j > i or words[j] != "today"):
        return shift(text.dates, RELATIVE_DAYS[words[j]]), 1, j + 1     # "a week tomorrow", "… from today"
    weekday = WEEKDAYS.get(words[j + (words[j] in WEEKS)])
    if j > i and weekday:
        return coming(text, weekday, WEEKS.get(words[j], (0,))), 1, i
    return text.dates if since or words[i] == "today" or j > i and words[j] == "now" else [], 1, i


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
    >>> explain("an hour fifteen, about an hour and 4 dollars", read_span)
    an hour fifteen -> 75 minute
    an hour -> 1 hour

    Near misses:
    >>> explain("$20 an hour, twice a week, the other day", read_span)
    """
    words, unit = text.words, UNITS[text.words[i]]
    part = AND_PARTS.get(" ".join(words[i + 1:i + 4]))
    amount, first = part and 1, i                           # "Hour and a half, tops."
    for n in (1, 2, 3) if text.linked(i) else ():
        lead = LEADS_OF_TIME.get(" ".join(words[i - n:i]))
        amount, first = (lead, i - n) if lead else (amount, first)
    before = words[first - 1] if text.gaps[first] in SOFT else ""
    told = part or amount != 1 or before not in PER_TIME and not before[:1].isdecimal() and (
        words[i - 1] != "a" or not before or before in AMOUNT_CUES or unit == "fortnight"
        or words[i + 1] in AMOUNT_TAILS)
    if not amount or not told:
        return None                                         # "$20 an hour", "twice a week", "had a day off"
    amount, last = (amount + part, i + 4) if part else (amount, i + 1)
    return finish_span(text, counted(plain(amount), unit, first, last))


def finish_span(text, mention):
    """An amount of time with what follows: its smaller parts ("1 hour 42 minutes"),
    the date that it leads to."""
    words, (dimension, size), last = text.words, UNIT_SIZES[mention.unit], mention.last
    rest = read_quantity(text, last + (words[last] == "and")) if text.gaps[last] in SOFT else None
    if rest and rest.unit is None and mention.unit == "hour" and rest.value in MINUTES_SAID:
        rest = rest._replace(unit="minute")                 # "an hour fifteen"
    of, small = UNIT_SIZES.get(rest and rest.unit, (None, 0))
    if of == dimension and small < size:
        total = float(mention.value) * size / small + float(rest.value)
        return [counted(plain(total), rest.unit, mention.first, rest.last, "unit_conversion")]
    dates, way, last = relative_base(text, mention.first, last)
    days = float(mention.value) * size / 86400
    if days < 1000 and not days % 1:
        for date in shift(dates, way * int(days)):
            mention.keys.setdefault(day_key(date), "call_date")
        mention = mention._replace(last=last)
    return [mention]


# ----------------------------------------------------------------------------------------------- scan

STREETS = word_set(
    "street avenue road lane drive boulevard court square close terrace crescent st ave rd blvd ln")
HOUR_CUES = CLOCK_CUES - {"about", "around", "between", "to", "from"}
SUFFIXED = r"(?=.*[a-z])([a-z]{1,4}(?=\d[\d,.]))?(\d[\d,]*(?:\.\d+)?)([a-z]*)"


def read_number(text, i):
    """Quantities, each with what else its words can mean: a bare hour, a date so many weeks from the call.

    A bare number is a time only where nothing is counted: behind a clock's cue it is one first.
    """
    words = text.words
    start = i - (words[i] in MULTIPLES and words[i - 1] in LEADS)       # "a dozen"
    mention = read_quantity(text, start - (words[start - 1:i] == ["half", "a"]))
    if not mention:
        return read_suffixed(text, i)
    if UNIT_SIZES.get(mention.unit, "")[:1] in (("time",), ("months",)):
        return finish_span(text, mention)
    before, last = words[mention.first - 1], mention.last
    time = None if mention.unit or mention.per or before in COUNT_CUES else read_time(text, i)
    if not time or time.last > last or time.hour > 12 and not time.minute and before not in HOUR_CUES \
            or text.linked(last) and words[last] not in CLASSES and words[last] not in NO_COUNT and (
                mention.value == "1" or text.gaps[last] == "-"
                or not STREETS.isdisjoint(words[last:last + 3])) \
            or before == "by" and (words[i - 2] in NUMBER_WORDS or words[i - 2].isdecimal()):
        return [mention]                # "one dog", "a three-seater", "at 14 Elm Street", "ten by twelve"
    clock, cues = clock_mention(time, i), CLOCK_CUES if time.hour < 13 else HOUR_CUES
    if before in cues and not (len(words[i]) == 3 and words[i].isdecimal()):
        return [clock._replace(keys=dict.fromkeys([*clock.keys, *mention.keys], "ambiguous_reading"))]
    return [mention._replace(keys={**mention.keys, **dict.fromkeys(clock.keys, "ambiguous_reading")})]


def read_suffixed(text, i):
    """Codes and numbers grown together with letters: L2093, 30min, 5kg, 10mg, R1,650, under-16s."""
    word = text.words[i]
    match = pattern(SUFFIXED).fullmatch(word)
    if not match:
        return None
    prefix, digits, suffix = match.groups()
    value, unit, last = digits.replace(",", ""), ALL_UNITS.get(suffix), i + 1
    if prefix:
        unit = CURRENCY_PREFIXES.get(prefix) if text.raw[text.starts[i]].isupper() else None
        while unit and not suffix and "." not in value and text.gaps[last] == " " \
                and pattern(r"\d{3}").fullmatch(text.words[last]):      # R20 000
            value, last = value + text.words[last], last + 1
    if unit or suffix == "s":
        if prefix and text.gaps[last] == "" and text.words[last] in SCALES:      # R20k
            value, last = plain(float(value) * SCALES[text.words[last]]), last + 1
        return [counted(value, unit, i, last)]
    keys = {word: None, value: "ambiguous_reading"}
    return [Mention(NUMERIC, word.upper(), keys, CODE if prefix else None, None, i, i + 1)]


READERS = (                     # where two could read a word, the earlier keeps it
    # "october 14" before the bare 14
    (read_date, frozenset(MONTHS) | frozenset(ORDINALS) | frozenset(CARDINALS)),
    # "9-11am" before numbers: digits set it off
    (read_pair, frozenset()),
    # "2 p.m." before the bare 2
    (read_clock, frozenset(CARDINALS) | frozenset(CLOCK_WORDS) | {"half", "quarter"}),
    (read_nth, frozenset(WEEKDAYS) | {"day"}),
    (read_weekday, frozenset(WEEKDAYS)),
    (read_relative, frozenset(RELATIVE_DAYS) | {"morning", "afternoon", "arvo", "evening"}),
    (read_span, frozenset(word for word, unit in UNITS.items()
                          if UNIT_SIZES[unit][0] in ("time", "months") and unit != "second")),
    (read_ordinal, frozenset(ORDINALS) | frozenset(CARDINALS)),
    (read_number, NUMBER_WORDS),
)
TRIGGERS = {}                   # word -> the readers that it sets off
for _reader, _words in READERS:
    for _word in _words:
        TRIGGERS.setdefault(_word, []).append(_reader)
DIGITS = [read_date, read_pair, read_clock, read_ordinal, read_number]
AMOUNTS = [read_pair, read_number]                          # behind "$" there is no date and no clock time
CLOCKS = [read_pair, read_clock]                            # "**9 p.m.**"; "+44" and "#42" count nothing


def scan(text, reader=None):
    """Every value that a text mentions, in order; where readings overlap, the first reader keeps the words.

    One pass over the words finds the few that set a reader off; nothing else is looked at. With a reader,
    only what this one reads.
    """
    found, free, words = [], 0, text.words
    triggers = TRIGGERS
    if pattern(r"\d").search(text.raw):
        triggers = {word for word in set(words) if word in TRIGGERS or word < ":" or word[-1] < ":"}
    for i in compress(range(text.size), map(triggers.__contains__, words)):
        if i < free:
            continue
        readers = TRIGGERS.get(words[i])
        if not readers:                                     # digits: the sign before them chooses
            sign = text.gaps[i][-1:]
            readers = CLOCKS if sign in PHONE_SIGNS else AMOUNTS if sign in CURRENCIES else DIGITS
        for one in readers:
            read = one(text, i) if reader in (None, one) else None
            if read:
                found += read
                free = read[-1].last
                break
    if any(map(has_day, found)):
        share_months(found)
        share_days(text, found)
    share_units(text, found)
    return found


def has_month(mention):
    """Is this a date whose month was said with it?"""
    return mention.value[:3] in MONTH_NAMES and mention.keys.get(mention.value, "") is None


def has_day(mention):
    """Is this a day of a month, be the month said or not?"""
    return mention.value[4:] in DAYS if mention.value[:4] == "day " else has_month(mention)


def share_months(mentions):
    """Let a day said alone also be one of the month said last: "the 19th of May … back on the 26th"."""
    month = None
    for mention in mentions:
        if has_month(mention):
            month = mention.value[:3]
        elif month and set(mention.keys.values()) == {"call_date"}:
            mention.keys.setdefault(f"{month} {next(iter(mention.keys))[4:]}", "call_date")


JOINTS = word_set("and or to till until through the") | frozenset(WEEKDAYS)
DAYS = frozenset(map(str, range(1, 32)))


def share_days(text, mentions):
    """Give the days of a list its month: "the 20th, 21st and 27th of November", "May 4th, 5th and 6th"."""
    days = [n for n, mention in enumerate(mentions) if mention.value not in WEEKDAY_NAMES]
    for at, n in [*zip(days[-2::-1], days[:0:-1]), *zip(days[1:], days)]:
        bare, dated = mentions[at], mentions[n]
        day, (one, other) = bare.value.replace("day ", ""), (bare, dated) if at < n else (dated, bare)
        between = text.words[one.last:other.first]
        joined = JOINTS.issuperset(between) if between \
            else one.last == other.first and text.gaps[one.last] == ", "
        sharing = has_month(dated) or has_day(dated) and day == bare.value
        if not joined or not sharing or bare.unit or day not in DAYS:
            continue
        key, keys = f"{dated.value[:3]} {day}", {f"{key[:4]}{day}": rule for key, rule in dated.keys.items()}
        typed = text.words[dated.first][:1] < ":" or text.words[dated.last - 1][:1] < ":"
        if typed and is_decimal(bare.value) and text.words[bare.last - 1] in CARDINALS:
            continue                                        # "shipped on October 30 and one to follow"
        if text.words[bare.first][-1] > ":":                # an ordinal or spelled, no digits alone
            mentions[at] = Mention(DATE_TIME, key, keys, None, None, bare.first, bare.last)
        elif at < n or between in (["and"], ["or"]) and not text.linked(bare.last):
            mentions[at] = bare._replace(keys={**bare.keys, key: None})


def as_number(text, mention, model):
    """A bare number, be it read as an hour, as an amount of what the other end of its range counts."""
    keys = {key: rule for key, rule in mention.keys.items() if ":" not in key}
    value = mention.value if mention.value in keys else next(iter(keys))
    if is_decimal(value):
        scaled = float(value) * max(SCALES.get(word, 1) for word in text.words[model.first:model.last])
        if any(key.isdecimal() and scaled < int(key) for key in model.keys):
            keys.setdefault(plain(scaled), "ambiguous_reading")
        equal_amounts(keys, float(value), model.unit)
    return mention._replace(kind=NUMERIC, value=value, unit=model.unit, keys=keys)


def share_units(text, mentions):
    """Give one end of a range what was said of the other:
    "30 to 35 minutes", "between six and eight hundred", "from twelve guests to nine"."""
    for n, (one, other) in enumerate(zip(mentions, mentions[1:])):
        joint = text.words[one.last]
        ranges = joint in ("to", "or") or joint == "and" and text.words[one.first - 1] == "between"
        if not ranges or other.first - one.last != 1 or "number" not in one.slots & other.slots:
            continue
        if not one.unit and (other.unit or not SCALES.keys().isdisjoint(text.words[other.first:other.last])):
            mentions[n] = as_number(text, one, other)
        elif other.kind == DATE_TIME and "clock" not in one.slots and not other.unit:
            mentions[n + 1] = as_number(text, other, one)


def explain(said, reader=None):
    """Print the mentions of a text, one a line: surface -> canonical value, unit.
    For examples and the curious."""
    text = Text(said)
    for m in scan(text, reader):
        start = text.starts[m.first] - (text.gaps[m.first][-1:] in CURRENCIES)
        print(f"{said[start:text.ends[m.last - 1]]} -> {m.value} {m.unit or ''}".rstrip())


# ------------------------------------------------------------------------------------------- dialogue

Utterance = namedtuple("Utterance", "first last speaker recorded")
# A stretch of the call (a sentence; a long one is cut): its words, the number of its utterance, who speaks, what it
# puts ("ask": a yes binds, "open": it asks for more than yes or no, "else", "tell", "machine"), its Acts, its stems ->
# their first word, and what became of it: "agreed", "refused", "open" or None, by which Act of which entry.
Entry = namedtuple("Entry", "first last number side put acts deeds stems state by", defaults=[None, None])


class Dialogue:
    """The transcript as one text: neighbouring turns of one speaker read as one utterance.

    text is the Text of the masked turns joined; turn_of leads a word back to its Turn; calls holds the indices of turns
    that begin another call. A recorded voice (greeting, menu, call screening) is no human speech. record is what
    the call was read from.
    """

    def __init__(self, turns, dates=(), day_first=False, facts=(), calls=(), record=None):
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
        self.facts, self.record, self.cache = facts or {}, record, {}
        self.mentions = scan(self.text)
        self.firsts = [mention.first for mention in self.mentions]
        resolve(self)
        self.index = index_of(self.mentions)
        self.masked_tails = pattern("#([^#]{2})").findall(masked)
        self.utterances = self.build_utterances()
        self.utterance_firsts = [utterance.first for utterance in self.utterances]
        self.spoken = [u for u in self.utterances if u.speaker != "agent" and not u.recorded]
        self.recorded = [u for u in self.utterances if u.recorded]
        self.kinds = {mention.kind for mention in self.mentions}

    def build_utterances(self):
        """The utterances, and whether a machine speaks them: it talks on until somebody says "I" or "hello"."""
        text, rows, before = self.text, [], None
        for first, last in zip(text.opens, text.opens[1:] + [text.size]):
            if first < last:
                turn = self.turn_of(first)
                if before is None or turn.speaker != before or SPEAKER_CHANGE in text.gaps[first]:
                    rows.append([first, last, turn.speaker])
                rows[-1][1], before = last, turn.speaker
        found, machine = [], False
        for first, last, speaker in rows:
            recorded = speaker != "agent" and (
                "voicemail" in self.facts or is_recorded(text, first, last)
                or machine and HUMAN_WORDS.isdisjoint(text.words[first:last]))
            machine = recorded if speaker != "agent" else machine
            found.append(Utterance(first, last, speaker, recorded))
        return found

    @cached_property
    def said(self):
        """Every word that is said -> where first."""
        return {word: spots[0] for word, spots in self.spots.items()}

    @cached_property
    def spots(self):
        """Every word that is said -> where."""
        found = defaultdict(list)
        for n, word in enumerate(self.text.words[:self.text.size]):
            found[word].append(n)
        return found

    @cached_property
    def counts(self):
        """stem -> how often it is said."""
        found = {}
        for one in stems_of(self.text):
            if one:
                found[one] = found.get(one, 0) + 1
        return found

    @cached_property
    def stems(self):
        """The stems of all words that are said."""
        return {stem(word) for word in self.said}

    @cached_property
    def field_words(self):
        """The words of the record's own fields: whom it called, its goal, its metadata."""
        return field_words_of(self.record)

    @cached_property
    def entries(self):
        """The ledger: what was put in the call, and what became of it. See read_entries."""
        return read_entries(self)

    @cached_property
    def spread(self):
        """stem -> in how many entries it stands."""
        found = {}
        for entry in self.entries:
            for one in entry.stems:
                found[one] = found.get(one, 0) + 1
        return found

    @cached_property
    def holders(self):
        """stem -> the numbers of the entries that hold it."""
        found = {}
        for n, entry in enumerate(self.entries):
            for one in entry.stems:
                found.setdefault(one, []).append(n)
        return found

    def turn_of(self, i):
        """The Turn that word i stands in."""
        return self.turns[bisect_right(self.starts, self.text.starts[i]) - 1]

    def entry_at(self, i):
        """The number of the entry that word i stands in."""
        return bisect_right(self.entry_firsts, i) - 1

    @cached_property
    def entry_firsts(self):
        """The first words of the entries."""
        return [entry.first for entry in self.entries]

    def number_of(self, i):
        """The number of the utterance that word i stands in."""
        return bisect_right(self.utterance_firsts, i) - 1

    def speaker_at(self, i):
        """Who speaks word i."""
        return self.utterances[self.number_of(i)].speaker

    def mentions_in(self, first, last):
        """The mentions in a run of words."""
        return self.mentions[bisect_left(self.firsts, first):bisect_left(self.firsts, last)]

    def quote(self, first, last):
        """At most 160 characters of the turn around these words."""
        n = bisect_right(self.starts, self.text.starts[first]) - 1
        start = self.starts[n]
        return cut_around(self.turns[n].text, self.text.starts[first] - start,
                          self.text.ends[last - 1] - start, 160)


def field_words_of(record, but=()):
    """The words of a record's own fields, but for those that hold no more than one of some values."""
    said = " ".join(text for text in field_texts(record) if text not in but)
    return frozenset(map(bare, Text(said).words)) - {""} if said else frozenset()


def field_texts(value, own=False):
    """The texts of a record's own fields: its goal, whom it called and for whom, its variables.

    >>> list(field_texts({"goal": "Call Ana.", "summary": "Ana came.", "run": {"variables": {"shop": "Elm"}}}))
    ['Call Ana.', 'Elm']
    """
    if isinstance(value, dict):
        for key, inner in value.items():
            if not pattern("summary|transcript|analysis|structured|evidence|outcome|message|turns|return_?value|collected", re.I).search(key):
                yield from field_texts(inner, own or pattern(OWN_FIELDS, re.I).search(key) is not None)
    elif isinstance(value, list):
        for inner in value:
            yield from field_texts(inner, own)
    elif own and isinstance(value, str):
        yield value


def is_recorded(text, first, last):
    """Is this a machine's voice: a mailbox, a menu, a screening, an announcement of closing hours?"""
    voices = acts_of(text).voices
    said = [voices[n].does for n in range(bisect_left(voices, (first,)), bisect_left(voices, (last,)))]
    strong, weak = said.count("recorded"), said.count("reached")
    return bool(strong or weak > 1) and ("human" not in said or strong > 1)


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
    return last.words[last.size - 1].isdecimal() or last.words[last.size - 1] in CARDINALS


def starts_with_digits(text):
    """Is a text's first word a number?"""
    word = Text(text[:12]).words[0]
    return word.isdecimal() or word in CARDINALS


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
        if word in DAY_PARTS and word not in ("night", "nights") \
                and (not i or text.words[i - 1] != "good"):
            n = bisect_right(dialogue.firsts, i)
            if not any(mention.last >= i and ":" in mention.value
                       for mention in dialogue.mentions[max(n - 2, 0):n]):
                found.append((i, DAY_PARTS[word]))
    return found


def half_around(dialogue, mention, parts):
    """The half of the day that the talk around a bare hour gives it:
    its sentence's up to the next comma or "or", else of the utterances before."""
    first, last = dialogue.text.sentence(mention.first)
    last = next((i for i in range(mention.last, last) if "," in dialogue.text.gaps[i]), last)
    own = parts[bisect_left(parts, (first,)):bisect_left(parts, (last,))]
    own = [part for part in own if "or" not in dialogue.text.words[part[0]:mention.first]]      # "of a morning, or at five"
    before = parts[bisect_right(parts, (mention.first - 119,)):bisect_left(parts, (mention.first,))]
    if own or not before:
        return own[-1][1] if own else None
    half, face = before[-1][1], next(key for key in mention.keys if ":" in key)
    return half if 6 <= to_hour(int(face[:2]) % 12 or 12, half) < 23 else None


# ------------------------------------------------------------------------------------------- ledger

MOVES = {tuple(row.split()[:2]): row.split()[2:] for row in """
yes  ask  agreed  answered_question
ok   ask  agreed  answered_question
done ask  agreed  answered_question
no   ask  refused answered_question
close ask refused answered_question
gone ask  refused answered_question
fail ask  refused -
open ask  open    -
yes  tell agreed  late_acknowledgement
yes  info agreed  answered_question
no   info refused answered_question
no   tell refused -""".strip().split("\n")}


def read_entries(dialogue):
    """The Entry of each stretch of the call, with what the other side answered to it."""
    text, entries, (acts, deeds) = dialogue.text, [], acts_of(dialogue.text)[:2]
    unmarked = "?" not in text.raw                          # a recogniser that writes no question marks
    opens = text.opens + [text.size]
    a = d = 0
    for first, last in zip(opens, opens[1:]):
        if first >= last:
            continue
        number = dialogue.number_of(first)
        side, recorded = dialogue.utterances[number][2:]
        for start, end in stretches(text, first, last):
            b, e = a, d
            while b < len(acts) and acts[b].first < end:
                b += 1
            while e < len(deeds) and deeds[e].first < end:
                e += 1
            put = "machine" if recorded else put_of(text, start, end, end == last, acts[a:b], unmarked)
            entries.append(Entry(start, end, number, side, put, acts[a:b], deeds[d:e], content(text, start, end)))
            a, d = b, e
    return [entry._replace(**dict(zip(("state", "by"), answer(dialogue, entries, n)))) for n, entry in enumerate(entries)]


def stretches(text, first, last):
    """A sentence in stretches: what runs on without a stop is cut before "and", "but", "so", and at commas."""
    if last - first <= 16:
        return [(first, last)]
    found, start = [], first
    for i in range(first + 5, last - 3):
        if i - start > 5 and (text.words[i] in CLAUSE_STOPS or text.gaps[i] in (", ", "; ", " - ")) or i - start > 15:
            found.append((start, i))
            start = i
    return found + [(start, last)]


def put_of(text, first, last, ends, acts, unmarked):
    """What a stretch puts: see Entry."""
    does = {act.does for act in acts}
    asks = ends and "?" in text.gaps[last] or unmarked and (
        "offer" in does or any(text.words[i] in AUXILIARIES and text.words[i + 1] in SUBJECTS
                               and text.words[i - 1] not in SUBJECTS for i in range(first, last - 2)))
    if not asks:
        return "tell" if RECAPS.isdisjoint(text.words[first:first + 3]) else "ask"
    start = next((i for i in range(first, last) if text.words[i] not in FILLERS and text.words[i] not in CLAUSE_STOPS), first)
    return "else" if "else" in does else "open" if "wh" in does and "offer" not in does \
        else "info" if text.words[start] in PAST_ASKING else "ask"


def stems_of(text):
    """The stem of each word of a text, None for grammar, digits and what is shorter than three letters; read once."""
    if "stems" not in text.cache:
        text.cache["stems"] = [None if word in CLASSES or len(word) < 3 or word < ":" else stem(word)
                               for word in text.words[:text.size]]
    return text.cache["stems"]


def content(text, first, last):
    """The stems of what a run of words is about -> the first word of each."""
    found, stems = {}, stems_of(text)
    for i in range(first, min(last, text.size)):
        one = stems[i]
        if one and one not in found:
            found[one] = i
    return found


def answer(dialogue, entries, n):
    """(state, (act, entry)) by what the other side answers to entry n; a side question delays the answer."""
    entry, aside = entries[n], 0
    if entry.put not in ("ask", "tell", "info") or any(other.put != "tell" or entry.put == "tell" for other in entries[n + 1:n + 4]
                                               if other.number == entry.number):
        return None, None
    state = by = None
    for reply in entries[n + 1:n + 8]:
        if reply.side == entry.side or reply.put == "machine":
            if reply.number != entry.number and not aside or reply.put == "machine":
                break
            continue
        if reply.number > entry.number + 1 + 2 * aside:
            break
        if reply.put in ("ask", "open") and not any((act.does, entry.put) in MOVES for act in reply.acts):
            aside = 1
            continue
        for act in reply.acts:
            move = MOVES.get((act.does, entry.put)) if act.first - reply.first < 9 and (
                act.head or reply.put == "tell") else None
            if move and (state is None or move[0] in ("refused", "open") and act.first - by[0].last < 3
                         or state == "open" and act.head):
                state, by = move[0], (act, reply)
        if not state and not reply.acts:
            state, by = repeated(dialogue, entry, reply)
        if state and state != "open" or reply.acts and not state:
            break
    return state, by


def repeated(dialogue, entry, reply):
    """("agreed", by) where a reply is no more than a value that was put ("Tuesday at two."), else (None, None)."""
    put = {key for mention in dialogue.mentions_in(entry.first, entry.last) for key in mention.keys}
    said = dialogue.mentions_in(reply.first, reply.last) if put else ()
    own = {i for mention in said for i in range(mention.first, mention.last)}
    if own and all(not put.isdisjoint(mention.keys) for mention in said) and all(
            i in own or dialogue.text.words[i] in CLASSES for i in range(reply.first, reply.last)):
        return "agreed", (Act("yes", said[0].first, said[0].last, frozenset(), True), reply)
    return None, None


# -------------------------------------------------------------------------------------- loose reading
# A value that no mention meets is looked for once more in the words that a speech recogniser may have
# written for it.

LOOSE_NUMBERS = {**ORDINALS, **CARDINALS, **COLLECTIVES, "twice": 2}
# "fortyfive"
LOOSE_NUMBERS.update((ten + one, CARDINALS[ten] + CARDINALS[one]) for ten in TENS for one in ONES)
LOOSE_NUMBERS.update((ten[:-1] + "ies", CARDINALS[ten]) for ten in TENS)       # "the seventies"
LOOSE_NUMBERS.update((word + "s", CARDINALS[word]) for word in ONES if word not in ("one", "six"))     # "forty-fives"
LOOSE_NUMBERS["niner"], LOOSE_NUMBERS["sixes"] = 9, 6
for _word in ("oh", "o", "second"):
    del LOOSE_NUMBERS[_word]    # homophones: they are words too
MOST_STARTS, MOST_TRIES = 1000, 150     # no call and no summary has more numbers; a flood of them stays quick
WIDTHS = {word: len(str(value)) - 1 for word, value in SCALES.items()}      # noughts behind "hundred", "k"


def pieces(words, i):
    """[(digits, next word)] of what word i may say as a number: "twenty five" -> 20, 25; "4:30" -> 430.

    A word that only sounds like a number counts among spelled digits, or where only a number can stand.
    """
    word = words[i]
    if word[:1].isdecimal():
        return [("".join(filter(str.isdecimal, word)), i + 1)]
    value = LOOSE_NUMBERS.get(word)
    if value is None and (word in WIDTHS and not is_number(words, i - 1)):
        return [("1", i)]                                   # "a hundred"
    if word == "a" and words[i + 1] in CURRENCIES:
        return [("1", i + 1)]                               # "a dollar eighty"
    if value is None:
        value = HOMOPHONES.get(word)
        meant = value is not None and (
            only_number(words, i) or is_number(words, i - 1) or is_number(words, i + 1))
        return [(str(value), i + 1)] if meant else []
    found = [(str(value), i + 1)]
    one = LOOSE_NUMBERS.get(words[i + 1], HOMOPHONES.get(words[i + 1], 0))
    if value in range(20, 100, 10) and 0 < one < 10:
        found.append((str(value + one), i + 2))
    return found


def is_number(words, i):
    """Is word i a number for certain?"""
    return words[i] in LOOSE_NUMBERS or words[i][:1].isdecimal()


def is_digit(words, i):
    """Is word i one digit?"""
    return LOOSE_NUMBERS.get(words[i], 10) < 10 or len(words[i]) == 1 and words[i].isdecimal()


def only_number(words, i):
    """Does word i stand where only a number can: "number ate", "for oclock", "to grand"?"""
    before, after = words[i - 1], words[i + 1]
    return before in NUMBER_HEADS or after in NUMBER_TAILS or after in WIDTHS \
        or after == "in" and words[i + 2] == "the" and words[i + 3] in DAY_PARTS \
        or before in ("and", "or") and is_number(words, i - 2)


def skip_fillers(words, i):
    """The word behind what may stand between two parts of a number: "and", "point"; the "a" of "a dollar" is one."""
    for _ in range(2):
        i += words[i] in NUMBER_FILLERS and not (words[i] == "a" and words[i + 1] in CURRENCIES)
    return i


def eat(words, i, rest, width=0):
    """The word behind a run from word i on that says the digits `rest`, or None.

    After "hundred" the next number fills two digits (width), after "thousand" three; "and", "point" pass.
    """
    if not rest:
        return i
    i = skip_fillers(words, i)
    times = REPEATS.get(words[i], 1)
    for piece, after in pieces(words, i + (times > 1)):
        piece *= times
        padded, scale = piece.zfill(width), WIDTHS.get(words[after], 0)
        if after > i and rest.startswith(padded):
            end = eat(words, after, rest[len(padded):])
            if end is not None:
                return end
        if scale and rest.startswith(piece):
            end = fill_up(words, after + 1, rest[len(piece):], scale)
            if end is not None:
                return end
    return None


def fill_up(words, i, rest, width):
    """As eat, for what stands behind a scale word: so many digits, said or left out as noughts."""
    end = eat(words, i, rest, width) if rest else None
    if end is None and len(rest) == width:                  # "two thousand nine fifty"
        end = eat(words, i, rest)
    if end is None and rest[:width] == "0" * width:
        end = eat(words, i, rest[width:])
    if end is None and len(rest) == width > 4 and rest[-3:] == "000":       # "one lakh eighty"
        end = eat(words, i, rest[:-3])
    return end


def number_starts(dialogue):
    """{digit: the words of the call where a number may begin that begins with it, the last ones}."""
    if "starts" not in dialogue.cache:
        words, found = dialogue.text.words, defaultdict(list)
        starters = {*LOOSE_NUMBERS, *HOMOPHONES, *REPEATS, *WIDTHS}
        for i in range(dialogue.text.size):
            if "#" not in dialogue.text.gaps[i] and (words[i] in starters or words[i][:1].isdecimal()
                                                     or words[i] == "a" and words[i + 1] in CURRENCIES):
                start = skip_fillers(words, i) + (words[i] in REPEATS)
                for digit in {piece[0] for piece, _ in pieces(words, start)}:
                    found[digit].append(i)
        dialogue.cache["starts"] = {digit: spots[-MOST_STARTS:] for digit, spots in found.items()}
    return dialogue.cache["starts"]


def places(dialogue, digits):
    """(first word, last excluded) of every run of the call that may say these digits.

    A short one stands by itself: "nineteen fifty eight" says no 58.
    """
    words, gaps, short = dialogue.text.words, dialogue.text.gaps, len(digits) < 3
    for i in number_starts(dialogue).get(digits[:1], ()):
        if short and (gaps[i] in (" ", "-") and inside(words, i) or words[i] in HOMOPHONES
                      and not only_number(words, i)):
            continue
        end = eat(words, i, digits)
        if end is None or any(SPEAKER_CHANGE in gap for gap in gaps[i + 1:end]):
            continue
        goes_on = is_digit(words, i) and is_digit(words, end) and gaps[end] in (" ", "-")
        if not (short and (goes_on or words[end] in WIDTHS)):
            yield i, end


def inside(words, i):
    """Is number word i the later part of a number: the "fifty" of "nineteen fifty", a digit spelled after
    another?

    "fourteen twelve-packs" says both, and so does "two thirty-threes".
    """
    if not is_number(words, i - 1) or any(is_number(words, k) and words[k][-1] == "s" for k in (i, i + 1)):
        return False
    before, value = LOOSE_NUMBERS.get(words[i - 1], 1), LOOSE_NUMBERS.get(words[i], 1)
    return value < 10 or value > 19 and before < 20 and words[i - 2] != words[i]       # "seventy two seventy three"


PART_NAMES = {"half": 2, "quarter": 4, "eighth": 8, "sixteenth": 16}
PARTS_SAID = frozenset([*PART_NAMES, *(name + "s" for name in PART_NAMES), "thirty"])
# behind the point: how it is said, in stems: "625" five eighths
PARTS = {plain(number / of)[2:]: [stem(word)] * (number > 1) + [stem(name)] for name, of in PART_NAMES.items()
         for word, number in CARDINALS.items() if number % 2 and number < of and not word.endswith("ish")}


def part_place(dialogue, whole, part):
    """Where the call says a number with a half or quarters: "two and a half", "three quarters of an acre", "a stone
    and a half"; or None.
    """
    words, said = dialogue.text.words, PARTS[part]
    if whole not in ("0", "1"):
        return next((place for place in places(dialogue, whole) if not PARTS_SAID.isdisjoint(
            words[place[1]:place[1] + 4])), None)
    for i in range(dialogue.text.size):
        added = words[i - 1] in ("a", "and") and "and" in words[max(i - 2, 0):i]
        if [stem(word) for word in words[i:i + len(said)]] == said and added == (whole == "1") and not any(
                is_number(words, k) for k in range(max(i - 4, 0), i)):
            return i, i + len(said)
    return None


def number_place(dialogue, value, claimed=None):
    """Where the call may say this number (plain decimal text) under some looser reading: (first, last), or
    None.

    What is said of another unit, a clock time or a date is none.
    """
    words, (whole, _, part) = dialogue.text.words, value.partition(".")
    part = part.rstrip("0")
    spelled = [whole] if not part else [whole + part, whole + (part + "0")[:2]]
    if part and whole == "0":
        spelled.append((part + "0")[:2])
    elif not part and len(whole) == 4 and whole[:2] in ("19", "20"):
        spelled.append(whole[2:].lstrip("0") or whole)      # "'11" for 2011
    number = 0 if part else int(whole)
    scales = [scale for scale in LEFT_UNSAID if number >= scale and 2 * number % scale == 0 and among_thousands(dialogue, number)]
    for digits in spelled + [str(number // scale) for scale in scales if number % scale == 0]:
        for first, last in places(dialogue, digits):
            if not claimed or all(units_meet(claimed.unit, m.unit) if m.kind == NUMERIC else len(m.keys) > 1
                                  for m in dialogue.mentions_in(first - 4, last) if m.last > first):
                return first, last
    if part in PARTS:                                       # "two and a half", "six and a quarter"
        return part_place(dialogue, whole, part)
    if part and whole == "0":                               # "point six"
        return next(((i, i + 2) for i in range(dialogue.text.size) if words[i] == "point"
                     and eat(words, i + 1, part)), None)
    head, place = whole.rstrip("0"), None
    if not part and len(head) > 1 and len(whole) > 3:       # "nineteen" for 1,900
        place = next(places(dialogue, head), None)
    for scale in scales or [1000] * (number > 9999):        # "twenty four and a half" for 24,500
        if number % scale == scale / 2:
            place = place or part_place(dialogue, str(number // scale), "5")
    return place


LEFT_UNSAID = 1000, 100_000              # thousands and lakhs


def among_thousands(dialogue, number):
    """Does the call tell another number of thousands, half to twice as large? Then "thirty" may say 30,000, or 30 lakh."""
    return any(m.kind == NUMERIC and is_decimal(m.value) and number / 2 <= float(m.value) <= number * 2
               for m in dialogue.mentions)


def half_beside(words, first, last):
    """"am", "pm", "night" or None: the part of the day that is said beside a run of words."""
    near = words[last:last + 5] + words[max(first - 3, 0):first]
    return next((DAY_PARTS.get(word) or MERIDIEMS[word] for word in near if word in DAY_PARTS
                 or word in ("am", "pm")), None)


def hour_like(words, first, last):
    """Does a number by itself stand where an hour stands: "at nine", "nine o'clock", "nine to twelve"?"""
    return words[first - 1] in BEFORE_HOURS or words[last] in AFTER_HOURS or words[first - 1] in WEEKDAYS


def time_place(dialogue, hour, minute):
    """Where the call may say this time, on the clock's face and not in the other half of the day, or None.

    "half two" 14:30; "quarter to five" 16:45; "three fifteen" 15:15; "twenty past nine" 09:20.
    """
    words = dialogue.text.words
    halves = (None, "am" if hour < 12 else "pm") + ("night",) * (not 4 < hour < 18)
    hours = sorted({str(hour % 12 or 12), str(hour), str((hour + 12) % 24)})
    if minute:
        spots = [spot for h in hours for digits in (h + f"{minute:02}", h + f"0{minute:02}")
                 for spot in places(dialogue, digits)] + list(past_places(dialogue, hours, hour, minute))
    else:
        spots = [spot for h in hours for spot in places(dialogue, h) if hour_like(words, *spot)]
        spots += [spot for h in hours if len(h) == 2 for spot in places(dialogue, h + "00")]
    return next((spot for spot in spots if half_beside(words, *spot) in halves), None)


def past_places(dialogue, hours, hour, minute):
    """Where the call says a time as "twenty past nine" or "ten of nine"; hours are the digits of its hour."""
    words, after = dialogue.text.words, (str(hour % 12 + 1), str(hour % 12 + 13))
    in_hand = any(key[:3] in (f"{hour:02}:", f"{(hour + 12) % 24:02}:") for key in dialogue.index)
    for i in sorted(i for word in PAST | TO for i in dialogue.spots.get(word, ())[-MOST:]):
        late = words[i] in TO
        digits = str(60 - minute if late else minute)
        if f"{FRACTIONS.get(words[i - 1], 0) * 60:.0f}" != digits and not any(
                eat(words, j, digits) == i for j in range(max(i - 3, 0), i) if words[j] not in PAST):
            continue
        end = next(filter(None, (eat(words, i + 1, h) for h in (after if late else hours))), None)
        if not end and in_hand and not late and not is_number(words, i + 1):
            end = i + 1                                     # "at three … at about five past"
        if end:
            yield max(i - 1, 0), end


def day_places(dialogue):
    """day of the month -> [(the month beside it, or "", first, last)] of what the call says as a day."""
    if "days" not in dialogue.cache:
        found, words = {}, dialogue.text.words
        for i in range(dialogue.text.size):
            digits, end = (pieces(words, i) or [("", i)])[-1]
            if words[i - 1] in ("twenty", "thirty") or not digits or len(digits) > 2 or int(digits) > 31:
                continue
            months = {MONTHS[word] for word in words[max(i - 2, 0):i] + words[end:end + 2] if word in MONTHS}
            if words[end:end + 2] == ["of", "the"] and 0 < ORDINALS.get(words[end + 2], 0) < 13:
                months = {MONTH_NAMES[ORDINALS[words[end + 2]] - 1]}        # "the eighth of the third"
            if months or words[end - 1] in ORDINALS or words[i][-2:] in ("st", "nd", "rd", "th") \
                    or words[i - 1] == "the" \
                    or words[i - 1] in WEEKDAYS:
                found.setdefault(int(digits), []).extend((month, i, end) for month in sorted(months or {""}))
        dialogue.cache["days"] = found
    return dialogue.cache["days"]


def date_place(dialogue, month, day):
    """Where the call may say a date: its day alone, as an ordinal or beside its month; or None.

    A day alone is one of the weeks around the call, or of a month that the call names.
    """
    dates, key = dialogue.text.dates, f"{month} {day}"
    names = [name for name, days in SAID_DAYS.items() if key in map(day_key, shift(dates, days))]
    names += HOLIDAYS.get(key, ())
    near = not dates or month in map(MONTHS.get, dialogue.said) or any(
        abs((date - dates[0]).days) < 46 for date in dates_around(dates[0], month, day))
    if near and day > 27 and not valid_day(MONTH_NAMES.index(month) + 1, day + 1 + (month == "feb")):
        names += [*MONTH_ENDS, *(f"end of {name}" for name in MONTHS if MONTHS[name] == month)]
    spots = [spot for spot in (run_place(dialogue, name.split()) for name in names) if spot]
    spots += [(first, last) for said, first, last in day_places(dialogue).get(day, ())
              if said == month or near and not said]
    return next(iter(spots), None)


def dates_around(base, month, day):
    """The dates of a month and day in the years around a date."""
    import datetime
    number = MONTH_NAMES.index(month) + 1
    return [datetime.date(year, number, day) for year in (base.year - 1, base.year, base.year + 1)
            if (number, day) != (2, 29) or not year % 4]


def weekday_place(dialogue, weekday, date):
    """Where the call may say this weekday: by "weekend", "tomorrow", or by a day of the month that falls on
    it.

    date is the canonical date that the summary tells beside it, or None: then this one must fall on it.
    """
    said = dialogue.said
    for word in (weekday + "s", *DAYS_TOGETHER.get(weekday, ())):
        if word in said:
            return said[word], said[word] + 1
    for gap in range(-7, 360 if date else 32):
        for day in shift(dialogue.text.dates, gap):
            if WEEKDAY_NAMES[day.weekday()] != weekday:
                continue
            if date:
                if day_key(day) == date:
                    return ()
                continue
            spots = [spot[1:] for spot in day_places(dialogue).get(day.day, ())
                     if spot[0] == day_key(day)[:3]]
            spots += [(said[word], said[word] + 1) for word, days in RELATIVE_DAYS.items() if days == gap
                      and word in said]
            if spots:
                return spots[0]
    return None


def loose_place(dialogue, mention, date=None):
    """Where the call may say a value under a looser reading: (first, last), () for nowhere in particular, or
    None.

    date is the one that the summary tells beside a weekday.
    """
    tries = dialogue.cache["tries"] = dialogue.cache.get("tries", 0) + 1
    for name in SAID_AMOUNTS.get((mention.value, mention.unit), ()):
        place = run_place(dialogue, name.split())
        if place:
            return place
    for key in mention.keys if tries < MOST_TRIES else ():
        place = None
        if ":" in key:
            place = time_place(dialogue, int(key[:2]), int(key[3:]))
        elif key in WEEKDAY_NAMES:
            place = weekday_place(dialogue, key, date)
        elif key[:4] == "day " or key[:3] in MONTH_NAMES:
            place = None if mention.value in WEEKDAY_NAMES else date_place(dialogue, key[:3], int(key[4:]))
        elif is_decimal(key):
            place = number_place(dialogue, key, mention)
        elif any(map(str.isdecimal, key)):
            place = None if key[0] == "=" else code_place(dialogue, bare(key))
        if place is not None:
            return place
    return None


# ---------------------------------------------------------------------------------------------- names


@lru_cache(maxsize=30000)
def everyday(word):
    """Is this a word of any phone call, no name: "parking", "manager"?"""
    root = stem(word)
    return root in EVERYDAY_STEMS and (word[len(root):] in INFLECTIONS or word in IRREGULAR) \
        or any(word in words for words in (CLASSES, TELLING, LOOSE_NUMBERS, SCALES, CALENDAR))


def label_words(text):
    """The numbers of a summary's words in headings and labels ("Next step:", "**Outcome**", "# Call"): no
    claims.
    """
    if "labels" not in text.cache:
        found, start, i, several = set(), 0, 0, "\n" in text.raw
        for line in text.raw.split("\n"):
            label = pattern(FIELD_LABEL).match(line)
            end = start + (len(line) if several and pattern(HEADING).fullmatch(line.strip())
                           else label.end() if label else 0)
            while i < text.size and text.starts[i] <= start + len(line):
                if text.starts[i] < end:
                    found.add(i)
                i += 1
            start += len(line) + 1
        text.cache["labels"] = found
    return text.cache["labels"]


def read_names(text):
    """The Mentions of names and codes of a summary, kind NAME: its keys are the words that must be said.

    Capitalised words within a sentence and words of letters and digits; a sentence's first word only where it
    leads a run of names or is no word that sentences open with. A text in capitals or in none holds no names.

    >>> [(m.value, m.unit) for m in read_names(Text(
    ...     "Gary Ames called Holt Motors. He gave code KX-72. Later it rained."))]
    [('Gary Ames', 'name'), ('Holt Motors', 'name'), ('KX-72', 'code')]
    """
    raw, found, i = text.raw, [], 0
    shouted = sum(map(str.isupper, raw)) * 2 > sum(map(str.islower, raw))
    labels = label_words(text)
    while i < text.size:
        start = raw[text.starts[i]]
        if not (start.isupper() or start.isdecimal() or text.words[i][-1:].isdecimal()) or i in labels:
            i += 1
            continue
        last = code_end(text, i)
        if last:
            code = raw[text.starts[i]:text.ends[last - 1]]
            found.append(Mention(NAME, code, {bare(code): None}, CODE, None, i, last))
        else:
            last = i + 1
            while last < text.size and text.gaps[last] in (" ", "-", "'") \
                    and raw[text.starts[last]].isupper() \
                    and not code_end(text, last):
                last += 1
            told = [] if shouted else [j for j in range(i, last) if may_be_name(text, j)]
            if told:
                value = raw[text.starts[told[0]]:text.ends[told[-1]]]
                found.append(Mention(NAME, value, dict.fromkeys(text.words[j] for j in told), "name", None,
                                     told[0], told[-1] + 1))
        i = last
    return found


def read_things(text):
    """The Mentions of the binding things of a summary, kind NAME, unit THING: its keys are the words by which a call may
    speak of it. A thing told as absent is none.

    >>> [m.value for m in read_things(Text("Photo ID and proof of address are needed, but no deposit."))]
    ['Photo', 'proof']
    """
    labels, words = label_words(text), text.words
    return [Mention(NAME, text.raw[text.starts[i]:text.ends[i]],
                    {words[i]: None, **dict.fromkeys(BINDING_THINGS[words[i]], "general_word"), words[i]: None}, THING, None, i, i + 1)
            for i in range(text.size) if words[i] in BINDING_THINGS and i not in labels
            and TOLD_NO.isdisjoint(words[max(text.sentence(i)[0], i - 4):i])]


def code_end(text, i):
    """The word behind a code of letters and digits that begins at word i, or 0: "K7PRWD", "UCP208-24", "IG10
    2HK".
    """
    raw = text.raw
    if i and text.gaps[i] == "" or "#" in text.gaps[i] or text.gaps[i][-1:] in CURRENCIES:
        return 0
    last, head = i + 1, raw[text.starts[i]:text.ends[i]]
    spaced = head.isupper() and any(map(str.isdecimal, head))
    while last < text.size and (text.gaps[last] == "" or (text.gaps[last] == "-" or spaced
                                                          and text.gaps[last] == " ")
                                and part_of_code(raw[text.starts[last]:text.ends[last]], text.gaps[last])):
        last += 1
    said = raw[text.starts[i]:text.ends[last - 1]]
    mixed = any(map(str.isdecimal, said)) and any(map(str.isalpha, said))
    other = mixed and (pattern(UNIT_CODE).fullmatch(said.lower()) or pattern(AMOUNT_CODE).fullmatch(said.lower())
                       and CODE_LABELS.isdisjoint(text.words[max(i - 3, 0):i]))      # "reference RM4471" is a code
    return last if mixed and not other else 0


def part_of_code(word, gap):
    """May a word behind a hyphen or a space go on with a code: capitals and digits mixed, or short capitals?
    """
    return pattern("[A-Z0-9]+").fullmatch(word) is not None and (gap == "-" or (
        any(map(str.isdecimal, word)) and any(map(str.isupper, word)) or len(word) == 3 and word.isalpha()))


def may_be_name(text, i):
    """Is a capitalised word of the summary a name?"""
    raw, low = text.raw[text.starts[i]:text.ends[i]], text.words[i]
    if len(low) < 2 or low in NOT_NAMES or low in CALENDAR or not raw[0].isupper() or everyday(low) \
            or raw.isupper() and len(raw) < 5:
        return False
    if i and i not in text.opens and NAME_OPENS.isdisjoint(text.gaps[i]):
        return True
    after = text.words[i + 1] if text.gaps[i + 1] in (" ", "'") else ""
    if after and text.raw[text.starts[i + 1]].isupper():
        return not everyday(after)
    return (after.endswith("ed") or after in PAST_FORMS or after in VERBS_OF_PEOPLE and low[-1] != "s") \
        and low not in OPENING_WORDS and not low.endswith(NO_NAME_ENDINGS)


def spelled_runs(dialogue):
    """[(letters and digits that were spelled out, joined; first word)]: "k t r four four nine" -> "ktr449".

    NATO words, "double l" and "v for victor" are read.
    """
    if "spelled" in dialogue.cache:
        return dialogue.cache["spelled"]
    runs, run, start, twice, words = [], "", 0, 1, dialogue.text.words
    for i in range(dialogue.text.size + 1):
        word = words[i]
        named = word in SPELLING_LINKS and run and words[i + 1][:1] == run[-1] and len(words[i + 1]) > 1
        piece = word if len(word) == 1 and word.isalnum() else NATO.get(word) or (
            str(LOOSE_NUMBERS[word]) if word in LOOSE_NUMBERS else LETTER_SOUNDS.get(word) if run and not named else None)
        if piece is None and word[:1].isdecimal():
            piece = "".join(filter(str.isalnum, word))
        if piece is None and run and len(word) < 4 and word.isalpha() and word not in CLASSES:
            piece = word
        linked = i and words[i - 1] in SPELLING_LINKS and word[:1] == run[-1:] and len(word) > 1
        if word in REPEATS:
            twice = REPEATS[word]
        elif word == "ray" and words[i - 1] == "x":
            continue                                        # "x-ray"
        elif piece and not (run and linked):
            start = start if run else i
            if twice > 1 and piece == "u":
                piece, twice = "w", 1                       # "double you"
            tens = words[i - 1] in TENS and len(piece) == 1 and word in LOOSE_NUMBERS and piece != "0"
            run = (run[:-1] if tens else run) + piece[0] * (twice - 1) + piece
            twice = 1
        elif not (run and (word in SPELLING_LINKS or linked)):
            if len(run) > 1:
                runs.append((run, start))
            run, twice = "", 1
    dialogue.cache["spelled"] = runs
    return runs


def joined(dialogue):
    """All that was said, run together without accents, and where each word begins in it."""
    if "joined" not in dialogue.cache:
        words = list(map(bare, dialogue.text.words[:dialogue.text.size]))
        dialogue.cache["joined"] = "".join(words), [0, *accumulate(map(len, words))]
    return dialogue.cache["joined"]


def joined_place(dialogue, low):
    """Where a word stands among the words run together: "mc alister", "bit locker"; or None."""
    (text, starts), key = joined(dialogue), ("joined", low)
    if key not in dialogue.cache:
        dialogue.cache[key] = text.find(low)
    at = dialogue.cache[key]
    return None if at < 0 else (bisect_right(starts, at) - 1, bisect_left(starts, at + len(low)))


def spelled_place(dialogue, low):
    """Where a word or code was spelled out, or None."""
    return next(((start, start + 1) for run, start in spelled_runs(dialogue) if low in run), None)


def code_place(dialogue, code):
    """Where a code is said: at once, spelled out, or its parts by themselves; or None.

    One that was spelled out with another character in it is not said.
    """
    code, words = "".join(filter(str.isalnum, code)), dialogue.text.words
    if code in dialogue.said:
        return dialogue.said[code], dialogue.said[code] + 1
    place = spelled_place(dialogue, code) or joined_place(dialogue, code)
    if place:
        return place
    for part in pattern(r"[a-z]+|\d+").findall(code):
        here = dialogue.said.get(part, dialogue.said.get(CODE_WORDS.get(part)))
        if here is None and len(part) == 1:                 # "bee fourteen"
            here = next((i for word, letter in LETTER_SOUNDS.items() if letter == part
                         for i in dialogue.spots.get(word, ())[-MOST:] if is_number(words, i + 1)), None)
        place = (here, here + 1) if here is not None else spelled_place(dialogue, part) or (
            next(places(dialogue, part), None) if part.isdecimal()
            else joined_place(dialogue, part) if len(part) > 1 else None)
        if not place:
            return None
    return place


def sounds_of(dialogue):
    """sound -> [(word or two neighbours run together, place)] of all that was said."""
    if "sounds" not in dialogue.cache:
        found, words = {}, dialogue.text.words
        for word, n in dialogue.said.items():
            if word[:1].isalpha() and not (word in CLASSES and len(word) < 4):
                found.setdefault(sound(word), []).append((bare(word), n))
        for n in range(dialogue.text.size - 1):
            if words[n][:1].isalpha() and words[n + 1][:1].isalpha() \
                    and len(words[n]) + len(words[n + 1]) < 16 \
                    and not (words[n] in CLASSES and words[n + 1] in CLASSES):
                both = words[n] + words[n + 1]
                found.setdefault(sound(both), []).append((bare(both), n))
        dialogue.cache["sounds"] = found
    return dialogue.cache["sounds"]


def name_place(dialogue, word):
    """(rule, first word) of where a word of a name is said, or None: as it is, in the record's own fields,
    spelled out, cut apart, for short, or as a recogniser hears it.
    """
    low, said = bare(word), dialogue.said if dialogue.text.raw.isascii() else {
        **{bare(one): n for one, n in dialogue.said.items()}, **dialogue.said}
    for form in (word, low, low[:-1] if low.endswith("s") else low + "s"):
        if form in said:
            return None, said[form]
    if low in dialogue.field_words:
        return "record_field", None
    if stem(low) in dialogue.stems:
        return None, next(n for one, n in said.items() if stem(one) == stem(low))
    place = (joined_place(dialogue, low) if len(low) > 4 else None) or spelled_place(dialogue, low)
    if place:
        return "loose_reading", place[0]
    for one, n in said.items():
        if one[:3] == low[:3] and 2 * min(len(one), len(low)) > max(len(one), len(low)) + 1 and (
                low.startswith(one) and not everyday(one) or one.startswith(low)) or one in SHORT_NAMES.get(low, ()):
            return "sounds_like", n
    for one, n in sounds_of(dialogue).get(sound(low), ()):
        if distance(low, one, 3) <= (1 if everyday(one) or len(low) < 5 else 2 + (len(low) > 7)):
            return "sounds_like", n
    most = (len(low) > 4) + (len(low) > 7)
    for one, n in said.items() if most else ():
        if one[:1] == low[:1] and not everyday(one) and distance(low, bare(one), most) <= most:
            return "sounds_like", n
    return None


# --------------------------------------------------------------------------------------------- claims


def pair_weekdays(text, mentions):
    """Give a weekday that stands beside a date the date as a reading, where the calendar bears it out:
    Monday, March 4.
    """
    for one, other in zip(mentions, mentions[1:]):
        day, date = (one, other) if one.value in WEEKDAY_NAMES else (other, one)
        if day.value not in WEEKDAY_NAMES or date.kind != DATE_TIME or date.value[:3] not in MONTH_NAMES \
                or other.first - one.last > 2 or not RANGE_WORDS.isdisjoint(text.words[one.last:other.first]):
            continue
        import datetime
        month, number = MONTH_NAMES.index(date.value[:3]) + 1, int(date.value[4:6])
        for today in [datetime.date(int(date.unit), 1, 1)] if date.unit else text.dates[:1]:
            passed = (month, number) < (today.month, today.day) and (today.month - month) % 12 > 1
            try:
                falls = datetime.date(today.year + passed, month, number).weekday()
            except ValueError:                              # February 29
                continue
            if WEEKDAY_NAMES[falls] == day.value:
                day.keys.setdefault(date.value, "call_date")


def dates_of(call_date):
    """A tuple of the dates that a call may have been on, of one date, of such a tuple, or of None."""
    return call_date if isinstance(call_date, tuple) else (call_date,) if call_date else ()


def decompose_claims(masked_summary, call_date=None, day_first=False):
    """Break a masked summary into claims, in order: every value, outcome and promise that it states.

    call_date is a datetime.date or a tuple of the dates it may have been where the call took place. A
    sentence with nothing to check gives one non_checkable_* claim. Raises nothing on any text.

    >>> [(c.kind, c.value)  # doctest: +NORMALIZE_WHITESPACE
    ...  for c in decompose_claims("Confirmed for 4 at 2 p.m. An email will be sent. Nice chat!")]
    [('outcome', 'confirm'), ('numeric', '4'), ('date_time', '14:00'), ('action', 'email'),
     ('non_checkable_opinion', None)]
    """
    return claims_of(Text(masked_summary, dates_of(call_date), day_first))


def claims_of(text, known=OUTCOME_WORDS):
    """The claims of a summary's Text, sentence by sentence; known are the outcome words that can be checked.
    """
    mentions, claims = list(mentions_of(text)), []
    pair_weekdays(text, mentions)
    names = read_names(text)
    codes = {i for name in names if name.unit == CODE for i in range(name.first, name.last)}
    named = {i for name in names for i in range(name.first, name.last)}
    names += [thing for thing in read_things(text) if thing.first not in named]
    mentions = [m for m in mentions if m.first not in codes and is_told(text, m)]
    taken = {i for m in mentions for i in range(m.first, m.last)}
    names = [name for name in names if taken.isdisjoint(range(name.first, name.last))]
    found = [value_claim(text, mention, mentions) for mention in mentions]
    found += [claim_of(text, NAME, name.value, name.first, name.last, name) for name in names]
    word = outcome_word(text, known)
    found += filter(None, [deed_claim(text, act) for act in acts_of(text).deeds
                           if act.first not in label_words(text)])
    if word:
        found = [claim for claim in found if claim.span[1] <= word.start(1) or claim.span[0] >= word.end(1)]
        found += [word_claim(text, word)] * (word[1].replace(" ", "_") in known)
    by_sentence = {}
    for claim in sorted(found, key=lambda claim: claim.span[0]):
        by_sentence.setdefault(text.sentence(claim.first)[0], []).append(claim)
    opens = text.opens + [text.size]
    for first, last in zip(opens, opens[1:]):
        inside, seen = by_sentence.get(first, ()), set()
        for claim in inside:
            same = claim.kind, claim.value, claim.told, claim.mention and claim.mention[3:5]
            if same not in seen:
                seen.add(same)
                claims.append(claim)
        if not inside and first < last and not is_list_marker(text, first, last):
            claims.append(unchecked_claim(text, first, last))
    return claims


def outcome_word(text, known):
    """The Match of an outcome word behind "Outcome:" or at the end of a summary (group 1), or None; known are
    those that can be checked: a short word at the end is one of them ("… on Monday. TBC" is none).

    >>> outcome_word(Text("No interest. Outcome: NOT_INTERESTED"), OUTCOME_WORDS)[1]
    'NOT_INTERESTED'
    """
    raw = text.raw
    label, _, rest = OUTCOME_LABEL.partition("([A-Z]")
    found, last = pattern(f"(?i:{label})([A-Z]{rest}").search(raw), pattern(OUTCOME_LAST).search(raw)
    return found or (last if last and (len(last[1]) > 3 or last[1] in known) else None)


def word_claim(text, match):
    """The claim that an outcome word makes."""
    first, last = bisect_left(text.starts, match.start(1)), bisect_left(text.starts, match.end(1))
    return claim_of(text, OUTCOME, match[1].replace(" ", "_"), first, last, told="word")


def is_told(text, mention):
    """Does a value of the summary state something: no list marker, no "first of all", no label, nothing of a
    mask?
    """
    first, last = text.sentence(mention.first)
    words, head = text.words, text.words[mention.first]
    alone = mention.last - mention.first == 1
    return not (is_list_marker(text, first, last) or mention.last > last
                or mention.first == first and text.gaps[mention.last][:1] == ")" and alone
                or "#" in text.raw[text.starts[mention.first] - 1:text.ends[mention.last - 1] + 1]
                or "digits" in words[mention.last - 1:mention.last + 1]
                or head in {str(date.year + n) for date in text.dates for n in (0, 1)}
                and words[mention.first - 1] in MONTHS      # "mid-January 2027": the year that anybody would add
                or words[mention.last - 1] in TOLD_COUNTS
                or words[mention.first - 2:mention.first] == ["out", "of"] and mention.value in ("5", "10")     # a scale
                or not alone and words[mention.last - 1] == "second"        # "a thirty-second restart"
                or alone and head in ("first", "second", "third") and (mention.kind == DATE_TIME or words[
                    mention.last] not in SPELLED_ORDINAL_HEADS)
                or alone and head == "one" and words[mention.first - 1] not in BEFORE_HOURS)


def deed_claim(text, act):
    """The claim that a deed, promise or outcome of the summary makes, or None where it is only wished, asked
    or possible.
    """
    deed, told = DEEDS[act.does], told_of(text, act)
    if "?" in text.gaps[text.sentence(act.first)[1]]:
        return None
    head = text.words[text.sentence(act.first)[0]:act.first]
    if head == ["to", "be"] or text.gaps[act.first][:1] == "," and text.words[act.last - 1].endswith("ed") \
            and text.words[act.last] in ("for", "on", "at", "in", "with"):
        return None                                         # "To be booked", "the visit, booked for Friday, …"
    if told == "done" or told == "not" and deed.sign in "+-":
        kind = ACTION if deed.sign == "=" else OUTCOME
    elif told == "promised" and deed.sign in "=+":
        kind = ACTION
    else:
        return None
    first, last = clause_at(text, act.first)
    means = [other.does for other in acts_of(text).deeds if first <= other.first < last
             and other.does in SENT - {"send"}] if act.does == "send" else ()
    return claim_of(text, kind, means[0] if means else act.does, act.first, act.last, told=told)


def word_before(text, i):
    """The word before word i, fillers passed over: "was then booked"."""
    i -= 1
    while i > 0 and text.words[i] in FILLERS:
        i -= 1
    return text.words[i] if i >= 0 else ""


def told_of(text, act):
    """How the summary tells a deed: "done", "promised", "not", "maybe", "asked", or "named" where it is only
    a noun.

    >>> [told_of(text, act) for text in [Text("She booked it, will pay, asked to cancel and did not confirm.")]
    ...  for act in acts_of(text).deeds]
    ['done', 'promised', 'asked', 'not']
    """
    words, colours, before = text.words[act.first:act.last], act.colours, word_before(text, act.first)
    if "if" in colours or "why" in colours:
        return "asked"
    if DEEDS[act.does].sign == "*":
        return "done"
    past = any(word.endswith("ed") or word in PAST_FORMS for word in words) \
        or len(words) > 1 and words[0] in CLASSES
    if "wish" in colours and not (past and "will" not in colours and before in AND_THEN):
        return "asked"
    if "maybe" in colours:
        return "maybe"
    if "not" in colours:
        near = text.words[max(act.first - 4, 0):act.first]
        return "not" if past or not AUXILIARY.isdisjoint(near) else "named"
    if before in THE_WORDS and text.words[act.first - 2] == "to":
        return "named"                                      # "agreed to the visit"
    if "will" in colours:
        return "promised" if not past or before in ("be", "get", "been", "is") else "done"
    if before == "be" and past:
        return "promised"                                   # "to be cancelled by Monday"
    if words[-1].endswith("ing"):
        return "promised" if before in ("being", "is", "are") else "named"
    if before == "to" and not past:
        return "asked"
    return "done" if past and (len(words) > 1 or before not in THE_WORDS) else "named"


def value_claim(text, mention, mentions):
    """The claim that a value of the summary makes; in "hold_hours=24" the key is its context."""
    words = text.words
    before = words[max(text.sentence(mention.first)[0], mention.first - 5):mention.first]
    if "=" in text.gaps[mention.first] and mention.kind == NUMERIC and not mention.unit:
        j = mention.first - 1
        while j > 0 and text.gaps[j] in ("_", "-"):
            j -= 1
        # "hold_hours=24"; an "adult_price" counts no adults
        named = words[j:mention.first]
        unit = None if PRICE_CUES.intersection(named) or "per" in named else next(
            (UNITS[word] for word in reversed(named) if word in UNITS), None)
        mention = mention._replace(unit=unit)
        if unit:
            equal_amounts(mention.keys, float(next(filter(lambda key: is_decimal(key),
                                                          mention.keys), 0)), unit)
    tail = bool({"ending", "ends", "end"}.intersection(before[-3:]) or "last" in before[:-1])
    return claim_of(text, mention.kind, mention.value, mention.first, mention.last, mention, tail=tail)


def is_list_marker(text, first, last):
    """Is this sentence only the "1." of a list?"""
    return last - first == 1 and text.words[first].isdecimal() and len(text.words[first]) < 3 \
        and text.gaps[last][:1] in (".", ")") and not text.gaps[first].rsplit("\n", 1)[-1].strip(" *-")


def sentence_around(text, i):
    """The sentence of a word as the card shows it, and where it begins: from its first word to its full stop.
    """
    first, last = text.sentence(i)
    start = text.ends[first - 1] + len(text.gaps[first].rstrip("$(\"'\xa3\xa4\xa5\xa6\xa8\xac\xaf#+-[")) if first else 0
    tail = pattern(r"[.!?)\"']*").match(text.raw, text.ends[last - 1])
    return text.raw[start:tail.end()].strip(), start


def claim_of(text, kind, value, first, last, mention=None, **more):
    """A Claim with its sentence and span; a currency sign and a percent sign belong to their number, the dot of
    "p.m." to it."""
    start = text.starts[first]
    if mention and text.gaps[first][-1:] in CURRENCIES:
        start -= 1
    behind = text.gaps[last][:1]
    end = text.ends[last - 1] + (mention is not None and (
        behind == "%" or behind == "." and text.raw[text.ends[last - 1] - 2:text.ends[last - 1]].lower() == ".m"))
    sentence, begin = sentence_around(text, first)
    return Claim(cut_around(sentence, start - begin, end - begin, 400), kind, value, [start, end],
                 mention, text, first, last, **more)


def unchecked_claim(text, first, last):
    """The note on a sentence with nothing to check:
    only a masked span, a number that cannot be read, or an opinion."""
    masked = any("####" in gap for gap in text.gaps[first:last + 1])
    spelled = any(word in NUMBER_WORDS and word != "one" for word in text.words[first:last])
    kind = MASKED if masked else SPELLED if spelled else OPINION
    sentence, start = sentence_around(text, first)
    return Claim(cut_around(sentence, 0, 0, 400), kind, None, [start, start + len(sentence)], None,
                 text, first, last)


def units_meet(one, other):
    """May a claim's unit be that of a mention? A number without a unit meets any;
    an unknown plural may mean people."""
    if one == other or None in (one, other) or (one, other) in SAME_UNITS or (other, one) in SAME_UNITS:
        return True
    if one == THING:
        return other in ("person", "room", "option", CODE)
    if other == THING:
        return one in ("room", "option", CODE)
    return CODE in (one, other) and {one, other}.isdisjoint(("person", "usd", "eur", "gbp", "percent"))


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


def tail_meets(value, tail):
    """Can a number end in these two characters of a masked one: "42", or the "wo" of a spelled two?"""
    if tail.isdecimal():
        return value.endswith(tail)
    return any(word.endswith(tail.lower()) and str(CARDINALS[word]) == value[-1:] for word in DIGIT_NAMES)


# ------------------------------------------------------------------------------------------- grounds
# A claim is flagged only where one of these grounds is met; what is neither found nor on such grounds is UNDECIDED.


def grade_claims(claims, dialogue, known=OUTCOME_WORDS):
    """A Grade for each claim; known are the outcome words that can be checked."""
    grades = []
    for claim in claims:
        if claim.kind in (SPELLED, MASKED, OPINION):
            grades.append(Grade(None))
        elif not dialogue.turns and not dialogue.facts:
            grades.append(Grade(UNSUPPORTED, reason="kind_absent_from_transcript"))
        elif claim.told == "word":
            grades.append(grade_word(claim, dialogue, *known[claim.value]))
        elif claim.kind == NAME:
            grades.append(grade_name(claim, dialogue))
        elif claim.kind in (OUTCOME, ACTION):
            grades.append(grade_deed(claim, dialogue))
        else:
            grades.append(grade_value(claim, dialogue))
    return grades


def evidence(dialogue, first, last, rule=None):
    """A SUPPORTED grade that points to these words."""
    turn = dialogue.turn_of(first)
    return Grade(SUPPORTED, turn.index, rule, dialogue.quote(first, last), turn.speaker)


def flag(dialogue, first, reason, grade=UNSUPPORTED, last=None, **more):
    """A flag that points to a word of the call, or to none."""
    if first is None:
        return Grade(grade, reason=reason, **more)
    turn = dialogue.turn_of(first)
    return Grade(grade, turn.index, None, dialogue.quote(first, last or first + 1), turn.speaker, reason,
                 turn.index if grade == CONTRADICTED else None, **more)


# --------------------------------------------------------------------------- grounds: values


def grade_value(claim, dialogue):
    """The grade of a number, date or time: where it was said, or on which ground it was not."""
    found = said_places(claim, dialogue)
    masked = not found and claim.tail and any(tail_meets(claim.value, tail) for tail in dialogue.masked_tails)
    place = None if found or masked else verbatim_place(claim, dialogue) or written_place(claim, dialogue) or loose_place(
        dialogue, claim.mention, date_beside(claim))
    if place:
        found = [("loose_reading", claim.mention._replace(first=place[0], last=place[1]))]
    if found:
        # a day read loosely has its month from afar: the same day without one is no rival
        rival = not (place and has_month(claim.mention)) and told_instead(claim, dialogue, found)
        if rival:
            return flag(dialogue, rival.first, "superseded", last=rival.last)
        rule, best = min(found, key=lambda row: (
            -nearness(claim, dialogue, row[1].first), row[0] is not None, -row[1].first))
        return evidence(dialogue, best.first, best.last, rule)
    if masked:
        return Grade(None, reason="masked")
    words = claim.source.words[claim.first:claim.last]
    if words[0] == "this" or words[0] in RELATIVE_DAYS and (words[0][:3] in ("tod", "ton")
                                                            or words[0] in dialogue.said) \
            or place == () or is_counted(claim) or reckoned(claim, dialogue) \
            or claim.kind == DATE_TIME \
            and by_weekday(claim.mention, dialogue, range(-7, 0)):
        return Grade(UNDECIDED)
    if not dialogue.field_words.isdisjoint(words):
        return Grade(SUPPORTED, None, "record_field", " ".join(words))
    absent = claim.kind not in dialogue.kinds
    return Grade(UNSUPPORTED, reason="kind_absent_from_transcript" if absent else "not_said")


def by_weekday(date, dialogue, reach):
    """Does the call say the weekday of a date so many days from it, with no date beside?"""
    month, _, day = date.value.partition(" ")
    names = {WEEKDAY_NAMES[one.weekday()] for today in dialogue.text.dates[:1] if month in MONTH_NAMES
             for one in dates_around(today, month, int(day)) if date.unit in (None, str(one.year))
             and (one - today).days in reach}
    said = [dialogue.mentions[n] for name in names for n in dialogue.index.get(name, ())[-MOST:]]
    return any(one.sort != ("weekday",) or all(other.sort != ("date",) for other in dialogue.mentions_in(
        one.first - 3, one.last + 4)) for one in said)


def verbatim_place(claim, dialogue):
    """Where the call says a spelled value in the summary's own words, with the word behind it; or None."""
    more, words = claim.last - claim.first < 2, dialogue.text.words
    own = claim.source.words[claim.first:claim.last + more]
    if not own[-1].isalpha() or own[-1] in FUNCTION_WORDS:
        return None
    if claim.value == "1" and more and not claim.mention.unit:         # "a dog" for 1 dog, but no "a fee" for 1 % fee
        own[0] = "an" if own[-1][0] in "aeiou" else "a"
    if "".join(own).isalpha():
        return run_place(dialogue, own)
    if claim.mention.unit != THING or len(own) < 3 or not claim.value.isdecimal():
        return None
    return next(((i - 1, i + 1) for i in dialogue.spots.get(own[1], ())[-MOST:]         # "two twenty amp circuits"
                 if 1 < CARDINALS.get(words[i - 2], 0) < 10 and CARDINALS.get(words[i - 1]) == int(claim.value)), None)


def written_place(claim, dialogue):
    """Where a date with its month in digits is said digit by digit: "three three sixty one" for 03/03/1961, "twelve five
    eighty four" for May 12, 1984; or None.
    """
    said, year = claim.mention, claim.mention.unit
    if said.kind != DATE_TIME or said.value[:3] not in MONTH_NAMES or dialogue.cache.get("tries", 0) > MOST_TRIES:
        return None
    dialogue.cache["tries"] = dialogue.cache.get("tries", 0) + bool(year)
    day, month = said.value[4:].split()[0], str(MONTH_NAMES.index(said.value[:3]) + 1)
    runs = [first + last + tail for first, last in ((day, month), (month, day)) for tail in (year, year[2:])] if year else []
    typed = "".join(filter(str.isdecimal, claim.source.words[claim.first]))
    runs += [typed] * (typed[:1] == "0" and len(typed) > 3 or len(typed) > 4)       # "ten thirty" is no 10/30
    return next((place for digits in runs for place in places(dialogue, digits)), None)


def run_place(dialogue, run):
    """Where words are said in a row, as (first, last); or None."""
    words, size, key = dialogue.text.words, len(run), ("run", *run)
    if key not in dialogue.cache:
        dialogue.cache[key] = next(((i, i + size) for i in dialogue.spots.get(run[0], ())
                                    if words[i:i + size] == run), None)
    return dialogue.cache[key]


def said_places(claim, dialogue):
    """[(rule, Mention)] of every mention of the call that has one of a claim's readings, the likeliest
    reading first.
    """
    said, found = claim.mention, []
    for key in said.keys:
        for n in dialogue.index.get(key, ())[-MOST:]:
            mention = dialogue.mentions[n]
            words = dialogue.text.words[mention.first:mention.last]
            if said.value in WEEKDAY_NAMES and words[0] in ("tonight", "this") and said.value not in words:
                continue                                    # "I'll ring tonight" names no weekday
            if (key[0] == "=" or units_meet(said.unit, mention.unit)) and rates_meet(said.per, mention.per):
                found.append((match_rule(said, mention, key), mention))
    return found


def nearness(claim, dialogue, i):
    """How much of what a claim's clause is about is said around word i of the call: its rare words weigh more."""
    cache, key = claim.source.cache, ("weights", claim.first, claim.last)
    if key not in cache:
        cache[key] = [(one, weight / (.5 + .5 * dialogue.counts.get(one, 1))) for one, weight in about(claim).items()]
    around = set(stems_of(dialogue.text)[max(i - 14, 0):i + 14])
    return sum([weight for one, weight in cache[key] if one in around])


def about(claim):
    """stem -> weight of what a claim's clause is about, but for its own words: words that any summary has
    weigh little.
    """
    text, key = claim.source, ("about", claim.first, claim.last)
    if key not in text.cache:
        for where in (clause_at, Text.sentence):            # a clause with nothing else in it: its sentence
            told = content(text, *where(text, claim.first))
            text.cache[key] = text.cache.get(key) or {
                one: .3 if text.words[n] in TELLING else 1 for one, n in told.items()
                if not claim.first <= n < claim.last}
    return text.cache[key]


def clause_at(text, i):
    """The clause that word i stands in, as (first word, last excluded)."""
    heads = acts_of(text).heads
    n = bisect_right(heads, i)
    return heads[n - 1] if n else 0, heads[n] if n < len(heads) else text.size


def date_beside(claim):
    """The date that the summary tells right beside a weekday ("Saturday, 8 October"), or None."""
    if claim.value not in WEEKDAY_NAMES:
        return None
    cache = claim.source.cache
    if "dates" not in cache:                                # a date by its first word and, negative, by the one behind it
        dates = [m for m in mentions_of(claim.source) if m.value[:3] in MONTH_NAMES]
        cache["dates"] = {**{m.first: m.value for m in dates}, **{-m.last: m.value for m in dates}}
    return next(filter(None, map(cache["dates"].get, (claim.last, claim.last + 1, -claim.first, 1 - claim.first))), None)


def mentions_of(summary):
    """The values of a summary's Text, read once."""
    if "mentions" not in summary.cache:
        summary.cache["mentions"] = scan(summary)
    return summary.cache["mentions"]


def is_counted(claim):
    """A small count in words: the summary may count what the call only names ("two things")."""
    return (claim.value in ("1", "2") or claim.value == "3"
            and claim.mention.unit in (None, THING, "option")) \
        and not claim.source.words[claim.first][0].isdecimal()


def reckoned(claim, dialogue):
    """Is this a total, a difference or a product of values of the call, that the summary says it reckoned or that
    is too large an amount to be one by chance?
    """
    month, _, day = claim.value.partition(" ")
    if month in MONTH_NAMES:                                # "4 to 6 September" of two nights from the fourth
        said, cache = mentions_of(claim.source), claim.source.cache
        firsts = cache.get("firsts") or cache.setdefault("firsts", [m.first for m in said])
        both = said[bisect_left(firsts, claim.mention.first):bisect_right(firsts, claim.mention.first)]
        starts = [int(m.value[4:]) for m in both if has_month(m)]
        return any(f"{month} {start}" in dialogue.index and dialogue.mentions[n].unit == "day"
                   for start in starts for n in dialogue.index.get(str(int(day) - start), ())[-MOST:])
    first, last = claim.source.sentence(claim.first)
    near = claim.source.words[max(first, claim.first - 7):min(last, claim.last + 5)]
    large = claim.mention.unit in CURRENCY_CODES and len(claim.value) > 2
    if not large and RECKONING.isdisjoint(near) or not claim.value.replace(".", "", 1).isdecimal():
        return False
    number, said = float(claim.value), [{float(key) for mention in dialogue.mentions for key in mention.keys
                                         if key.replace(".", "", 1).isdecimal() and len(key) < 9 and mention.unit in units}
                                        for units in ((claim.mention.unit,), (claim.mention.unit, None, "person", THING))]
    return any(round(abs(number - a), 2) in said[0] for a in said[0]) or any(
        a > 1 and round(number / a, 2) in said[1] for a in said[0])


# ------------------------------------------------------------------------------- grounds: told instead


# what is seen of an untold value of the call that may have stood in a claimed one's place: how much it speaks for
# that (fitted on labelled calls, each file told by the others); together they must reach ENOUGH, and more in a
# long call or one of many names, where some other is near by chance
SWAP = {
    "again": 1.7,           # log of how often it is said
    "after": 2.75,          # log of how often it is said after the claimed one is said last
    "near": 2,              # how much nearer it is to what the clause is about: -1 to 1
    "unlike": -2.5,         # log of how many times as large one is as the other
    "unit": 1.2,            # both have the same unit
    "agreed": .55,          # it was agreed to where it was said
    "or": .95,              # both were put side by side
    "down": .75,            # a word that turns down stands behind where the claimed one is said last
    "unsure": 1,            # the claimed one was found by a rule only
    "settled": 4.6,         # a call about one thing corrects the claimed one, or takes this one after it
}
ENOUGH, LONG, BY_CHANCE = 5.4, 30, 3            # LONG: utterances
MOST_WEIGHED, MOST_VALUES_HEARD, MOST_NAMES = 20, 300, 150        # that are weighed: work on a claim stays bounded


def told_instead(claim, dialogue, found):
    """The Mention of the call that stood in the end where the claimed value did not, or None: no reading of it
    is told in the summary, and what SWAP sees of it reaches ENOUGH. found is where the claimed one was said, as
    said_places gives it.
    """
    score, rival = likely_rival(claim, dialogue, found)
    longer = max(0, log(max(len(dialogue.utterances), 1) / LONG))
    return rival if score > claim.source.cache.get("enough", ENOUGH) + BY_CHANCE * longer else None


def likely_rival(claim, dialogue, found=()):
    """(what speaks for it, the Mention) of what the call says and the summary does not, the likeliest to have
    stood in a claimed value's or name's place; (0, None) without any.

    A value told as asked for, offered, former or turned down is none that stood.
    """
    key = "rival", claim.first, claim.kind
    if key not in claim.source.cache:
        groups, best, words, found = defaultdict(list), (0, None), dialogue.text.words, found[-MOST_WEIGHED:]
        if claim.kind == NAME:
            best = likely_name(claim, dialogue)
        elif found and not tells_old(claim) and claim.source.words[claim.first] not in RELATIVE_DAYS \
                and date_beside(claim) not in dialogue.index:       # a weekday goes by the date beside it
            own = {n for _, one in found for n in range(one.first, one.last)}
            for rival in untold(claim.source, dialogue):
                if same_sort(claim.mention, rival) and "not" not in words[rival.first - 2:rival.first] and (
                        rival.unit != THING or claim.mention.unit != THING or stem(words[rival.last - 1])
                        == stem(claim.source.words[claim.last - 1])) and own.isdisjoint(range(rival.first, rival.last)):
                    groups[next(iter(rival.keys))].append(rival)
        claimed = claimed_signs(claim, dialogue, found) if groups else None
        for rivals in groups.values():
            signs = swap_signs(claim, dialogue, claimed, rivals[-MOST_WEIGHED:])
            best = max(best, (sum(SWAP[name] * value for name, value in signs.items()), rivals[-1]),
                       key=lambda row: row[0])
        claim.source.cache[key] = best
    return claim.source.cache[key]


# what is seen of an untold name of the call that may have stood in a claimed one's place, as in SWAP
OTHER_NAME = {
    "again": 2.2,           # log of how often it is said
    "since": -.95,          # how often the claimed one is said after it
    "near": 1.15,           # how much nearer it is to what the clause is about: -1 to 1
    "beside": 1.25,         # both are said within a dozen words
    "down": .45,            # a word that turns down stands behind where the claimed one is nearest
    "same": 1,              # how many words stand before or behind both
    "opening": -1.15,       # it is said as the call opens, as those who speak are
    "opened": -1.05,        # the claimed one is
}
ENOUGH_NAME, CROWD, OPENING, BESIDE = 4.65, 8, 60, 12           # CROWD: other names that are untold


def likely_name(claim, dialogue):
    """As likely_rival, for a word of a name: what OTHER_NAME sees of the likeliest other."""
    best, words = (0, None), dialogue.text.words
    for word in claim.mention.keys if claim.mention.unit not in (CODE, THING) and not tells_old(claim) else ():
        own, far = dialogue.spots.get(word, ())[-MOST:], None
        reach = {k for i in own for k in range(i - BESIDE + 1, i + BESIDE)}
        for spots in untold_names(claim.source, dialogue).values() if own else ():
            beside = not reach.isdisjoint(spots)
            if (beside or len(spots) > 1) and not any("not" in words[max(i - 2, 0):i] for i in spots):
                if far is None:
                    far, nearest = max((nearness(claim, dialogue, i), i) for i in own)
                near = max([nearness(claim, dialogue, i) for i in spots])
                signs = {
                    "again": log(len(spots)), "since": min(sum(i > spots[-1] for i in own), 3),
                    "near": (near - far) / (near + far + .2), "beside": beside,
                    "down": not TURNS_DOWN.isdisjoint(words[nearest + 1:nearest + 9]),
                    "same": min(len(words_beside(dialogue, own) & words_beside(dialogue, spots)), 3),
                    "opening": spots[0] < OPENING, "opened": own[0] < OPENING,
                }
                score = sum(OTHER_NAME[name] * value for name, value in signs.items())
                best = max(best, (score, claim.mention._replace(first=spots[-1], last=spots[-1] + 1)),
                           key=lambda row: row[0])
    return best


def words_beside(dialogue, spots):
    """{(-1 or 1, the word before or behind)} of what stands at some words of the call."""
    words = dialogue.text.words
    return {(side, words[i + side]) for i in spots for side in (-1, 1) if 0 <= i + side < len(words)}


def claimed_signs(claim, dialogue, found):
    """(the Mentions of a claimed value in the call, their first words, the nearness of the nearest, {name of SWAP:
    value} of what is the same beside any rival).
    """
    mine = [mention for _, mention in found]
    own = sorted({mention.first for mention in mine})
    return mine, own, max(nearness(claim, dialogue, i) for i in own), {
        "unsure": all(rule for rule, _ in found),
        "down": not TURNS_DOWN.isdisjoint(dialogue.text.words[own[-1] + 1:own[-1] + 10]),
    }


def swap_signs(claim, dialogue, claimed, rivals):
    """{name of SWAP: value} of the Mentions of one rival value, beside what claimed_signs says of the claimed one."""
    (mine, own, far, signs), other = claimed, sorted({mention.first for mention in rivals})
    words, sizes = dialogue.text.words, [mention.sort[1] for mention in (claim.mention, rivals[-1])
                                         if len(mention.sort) > 1]
    near, last = max(nearness(claim, dialogue, i) for i in other), dialogue.entries[dialogue.entry_at(other[-1])]
    return {
        **signs,
        "again": min(log(len(other)), 1.4), "after": log(1 + sum(i > own[-1] for i in other)),
        "near": (near - far) / (near + far + .2),
        "unlike": abs(log(sizes[0] / sizes[1])) if len(sizes) > 1 and min(sizes) > 0 else 0,
        "unit": claim.mention.unit == rivals[-1].unit != None,
        "agreed": any(dialogue.entries[dialogue.entry_at(i)].state == "agreed" for i in other),
        "or": any(abs(i - k) < 10 and "or" in words[min(i, k):max(i, k)] for i in own for k in other),
        "settled": len(dialogue.utterances) < BRIEF and near >= far and other[-1] > own[-1] and (
            last.put == "tell" or last.state == "agreed") and (
            said_in_turn(dialogue, other) or corrected(dialogue, mine, rivals)),
    }


def untold(summary, dialogue):
    """The last mentions of the call of which a summary tells no reading."""
    if "untold values" not in summary.cache:
        told = told_keys(summary)
        summary.cache["untold values"] = [mention for mention in dialogue.mentions
                                          if mention.keys.keys().isdisjoint(told)][-MOST_VALUES_HEARD:]
    return summary.cache["untold values"]


def told_keys(summary):
    """Every reading of every value that a summary tells, and its digits."""
    if "told" not in summary.cache:
        keys = {key for mention in mentions_of(summary) for key in mention.keys}
        summary.cache["told"] = keys | set(pattern(r"\d+").findall(summary.raw.replace(",", "")))
    return summary.cache["told"]


def same_sort(one, other):
    """May one value have been said for the other: both clock times, weekdays, dates, or numbers of like size
    and unit?
    """
    if one.sort == ("clock",) and other.kind == NUMERIC:
        return not pattern(r"(?:19|20)\d\d").fullmatch(other.value) and any(
            key[2:3] == ":" and key[3:] != "00" for key in other.keys)      # "ten fifteen", not the year 2010
    if one.sort[:1] != other.sort[:1] or not one.sort:
        return False
    return len(one.sort) < 2 or (one.unit == other.unit or None in (one.unit, other.unit)) \
        and other.sort[1] * .4 < one.sort[1] < other.sort[1] * 2.5


def tells_old(claim):
    """Does the summary tell a value or name as asked for, offered, former or turned down?"""
    words, (first, last) = claim.source.words, clause_at(claim.source, claim.first)
    before = words[max(first, claim.first - 9):claim.first]
    if "to" in before:
        before = before[before.index("to"):]                # "moved from Monday to Tuesday at nine"
    return not TOLD_OLD.isdisjoint(before + words[claim.last:min(last, claim.last + 6)]) \
        or "from" in before[-2:] and not MOVED.isdisjoint(words[first:last])


def said_in_turn(dialogue, firsts):
    """Did one side say what begins at some words, and the other say it again within two utterances?"""
    return any(dialogue.speaker_at(i) != dialogue.speaker_at(k)
               and dialogue.number_of(k) - dialogue.number_of(i) < 3 for i, k in combinations(firsts, 2))


def corrected(dialogue, mine, rivals):
    """Was one value put in another's place: "four, sorry, five", "seven is taken, eight", "moved to May 9"?"""
    words = dialogue.text.words
    for one, other in product(mine, rivals):
        start, last = max(one.last, other.first - 9), other.first
        if 0 <= last - one.last < 40:
            entries = dialogue.entries[dialogue.entry_at(start):dialogue.entry_at(last) + 1]
            if "no" in words[start:last] and dialogue.number_of(last) - dialogue.number_of(one.first) < 2 or any(
                    start <= act.first < last and (act.does in ("fix", "gone") or act in entry.deeds
                                                   and DEEDS[act.does].family == "change")
                    for entry in entries for act in entry.acts + entry.deeds):
                return True
    return False


# -------------------------------------------------------------------------------------- grounds: names


def grade_name(claim, dialogue):
    """The grade of a name or code: SUPPORTED where all of its words are said, else not_said."""
    if claim.mention.unit == CODE:
        code = next(iter(claim.mention.keys))
        place = code_place(dialogue, code)
        if place:
            return evidence(dialogue, *place, None if code in dialogue.said else "loose_reading")
        parts = pattern("[a-z0-9]+").findall(code)
        if dialogue.field_words.issuperset(parts):
            return Grade(SUPPORTED, None, "record_field", claim.value)
        return flag(dialogue, None, "not_said")
    if claim.mention.unit == THING:
        return grade_thing(claim, dialogue)
    places = [name_place(dialogue, word) for word in claim.mention.keys]
    if None in places:
        return flag(dialogue, None, "not_said")
    score, rival = likely_rival(claim, dialogue)
    more = max(0, log(max(len(untold_names(claim.source, dialogue)), 1) / CROWD))
    if score > ENOUGH_NAME + BY_CHANCE * more:
        return flag(dialogue, rival.first, "superseded")
    rules = [rule for rule, _ in places if rule]
    spots = [n for _, n in places if n is not None]
    if not spots:
        return Grade(SUPPORTED, None, "record_field", claim.value)
    return evidence(dialogue, max(spots), max(spots) + 1, rules[0] if rules else None)


def grade_thing(claim, dialogue):
    """The grade of a thing: SUPPORTED where any word for it is said or stands in the record, else not_said."""
    for word, rule in claim.mention.keys.items():
        place = thing_place(dialogue, word)
        if place is not None:
            return evidence(dialogue, place, place + 1, rule)
    if not dialogue.field_words.isdisjoint(claim.mention.keys):
        return Grade(SUPPORTED, None, "record_field", claim.value)
    place = name_place(dialogue, next(iter(claim.mention.keys)))
    return evidence(dialogue, place[1], place[1] + 1, place[0]) if place else flag(dialogue, None, "not_said")


def thing_place(dialogue, word):
    """Where a word of a row of things is said first, in any form, or None; "put+down" is a pair of words. A "drive" is no
    driver.
    """
    key, (before, _, word), words = ("thing", word), word.rpartition("+"), dialogue.text.words
    if key not in dialogue.cache:
        root, start = stem(word), word.rstrip("ey")
        spots = sorted(i for one in dialogue.said if one.startswith(start) and stem(one) == root
                       for i in dialogue.spots[one][-MOST:]) if root in dialogue.stems else ()
        dialogue.cache[key] = next((i for i in spots if not before or any(
            near == before or before == "#" and (near in CARDINALS or near in UNITS or near.isdecimal())
            for near in words[max(i - 3, 0):i])), None)
    return dialogue.cache[key]


def untold_names(summary, dialogue):
    """word -> its last places, of the words of the call that may be names and that the summary does not tell under
    any form or sound; of the most frequent where there are very many.
    """
    if "untold" not in summary.cache:
        text, found = dialogue.text, {}
        told = {*stems_of(summary), *map(sound, filter(str.isalpha, summary.words))}
        cased = pattern(r"[a-z] [A-Z][a-z]").search(text.raw)
        for word, spots in dialogue.spots.items():
            if len(word) > 2 and word.isalpha() and not everyday(word) and word not in NATO and word not in NOT_NAMES:
                spots = [i for i in spots if not cased or text.raw[text.starts[i]].isupper()]
                if spots and stem(word) not in told and sound(word) not in told:
                    found[word] = spots[-MOST:]
        summary.cache["untold"] = dict(sorted(found.items(), key=lambda row: -len(row[1]))[:MOST_NAMES])
    return summary.cache["untold"]


# -------------------------------------------------------------------------------------- grounds: deeds

# sign: "+", "-" or "~"; first, last: its words; act: what was said ("no", "fail" …); roots: the deeds it tells; rule: of the
# evidence; stems: what it is about; callee: does the other side say it; firm: is it told as done or promised; past: is it a
# no to a question of fact, which decides nothing but the deed that was asked after
Event = namedtuple("Event", "sign first last act roots rule stems callee firm past", defaults=(False,))
UNREAL = {"+": word_set("if wish not why"), "-": word_set("if wish why"), "~": word_set("if wish why")}
SIGNS = {"yes": "+", "done": "+", "no": "-", "gone": "-", "fail": "-", "open": "~"}
STATE_SIGNS = {"agreed": "+", "refused": "-", "open": "~"}
TURNED = {"+": "-", "-": "+", "~": "~"}


def events_of(dialogue):
    """The Events of the call, in order: what was agreed, refused, done, undone or left open.

    What answers a question of detail decides nothing but by a deed's own word.
    """
    if "events" in dialogue.cache:
        return dialogue.cache["events"]
    found, detail = [], None                                # the number of the utterance that answers one
    for entry in dialogue.entries:
        if entry.put == "machine":
            continue
        if entry.state:
            found.append(answer_event(entry))
        end = entry.last if entry.put == "tell" else next(
            (act.first for act in entry.acts if act.does in ("wh", "offer", "else")), entry.first)
        for act in entry.acts if entry.number != detail else ():
            sign = SIGNS.get(act.does)
            if sign and not act.head and act.first < end and act.colours.isdisjoint(UNREAL[sign]):
                found.append(Event(sign, act.first, act.last, act.does, frozenset(), None, stems_beside(entry, act),
                                   entry.side != "agent", act.does == "done"))
        for act in entry.deeds:
            sign, told = said_sign(dialogue.text, act) if act.first < end else None, told_of(dialogue.text, act)
            if sign and not (told == "named" and entry.side == "agent"):
                found.append(Event(sign, act.first, act.last, act.does, frozenset([act.does]), None, stems_beside(entry, act),
                                   entry.side != "agent", told in ("done", "promised")))
        detail = entry.number + 1 if entry.put in ("open", "else", "info") else detail
    dialogue.cache["events"] = sorted(found, key=lambda event: event.first)
    return dialogue.cache["events"]


def stems_beside(entry, act):
    """The stems of an entry but for those of an act's own words."""
    return frozenset(one for one, i in entry.stems.items() if not act.first <= i < act.last)


def answer_event(entry):
    """The Event of an entry that was answered; an answer to what was put as not so turns."""
    act, reply = entry.by
    sign = STATE_SIGNS[entry.state]
    for deed in entry.deeds[:1]:
        if ("not" in deed.colours) != (DEEDS[deed.does].sign == "-" and entry.put == "ask"):
            sign = TURNED[sign]
    return Event(sign, act.first, act.last, act.does, frozenset(one.does for one in entry.deeds + reply.deeds),
                 MOVES[act.does, entry.put][1].strip("-") or None, entry.stems.keys() | reply.stems.keys(), reply.side != "agent", False,
                 entry.put == "info" and entry.state == "refused")


def said_sign(text, act):
    """"+", "-" or "~" of an outcome's word in the call, None where it decides nothing: told, promised, or asked for at once."""
    sign, told = DEEDS[act.does].sign, told_of(text, act)
    if sign not in "+-" or told == "asked" or told == "named" and (
            text.words[act.last - 1].endswith(("ion", "ing")) or text.words[act.first - 1] in THE_WORDS and text.words[act.first - 1] != "no"):
        return None
    return "~" if told == "maybe" else sign if told != "not" else "-" if sign == "+" else "+"


def concerned(dialogue, weights, rows):
    """(those of some rows with stems that share something of what a clause is about, how much the best shares); all of them
    where none shares anything rare.
    """
    scores = [sum(weight / (.6 + .4 * dialogue.spread.get(one, 1)) for one, weight in weights.items() if one in row.stems)
              for row in rows]
    best = max(scores, default=0)
    return [row for row, score in zip(rows, scores) if best < .15 or score >= .3 * best or not row.stems], best


def deciding_events(claim, dialogue):
    """(the Events that a claimed outcome is held against, how much of its clause the best of them shares).

    Where the call tells an outcome of its family by its own word, only such words decide from there on.
    """
    events = [event for event in events_of(dialogue) if not event.past or claim.value in event.roots]
    chosen, best = concerned(dialogue, about(claim), events)
    near = set(map(id, chosen))
    chosen = [event for event in events if id(event) in near or event.roots and not event.rule]
    family, rooted = DEEDS[claim.value].family, [event for event in chosen if event.roots and not event.rule]
    own = [n for n, event in enumerate(rooted) if event.firm and any(DEEDS[root].family == family for root in event.roots)]
    return (rooted[own[-1]:], best) if own else (chosen, best)


def bears_out(event, deed):
    """Can an Event bear out an outcome: by a word of its family, or, for consent and refusal, by any yes or no?"""
    return deed.family in ("consent", "done", "refuse", "fail", "gone") or not deed.said.isdisjoint(event.stems) or any(
        DEEDS[root].family == deed.family for root in event.roots)


def grade_deed(claim, dialogue):
    """The grade of an outcome, a deed or a promise."""
    deed, positive = DEEDS[claim.value], is_positive(claim)
    if claim.told == "done" and claim.value in SAID_WHEN_DONE:
        doing = [entry for entry, act in said_deeds(dialogue, deed) if {"not", "if"}.isdisjoint(act.colours)]
        if told_of_agent(claim) and not any(entry.side == "agent" or entry.state == "agreed" for entry in doing):
            return flag(dialogue, None, "not_by_agent")
        if claim.value in SENT and not doing:
            return flag(dialogue, None, "never_mentioned")
    if deed.sign == "*":
        return grade_state(claim, deed, dialogue)
    fact = next((dialogue.facts[name] for name in NOBODY if name in dialogue.facts), None)
    if fact and not dialogue.spoken and (positive or claim.told == "promised") and not dialogue.recorded:
        return Grade(UNSUPPORTED, None, None, fact, reason="record_field")
    if ends_recorded(dialogue):
        last = dialogue.recorded[-1]
        if not positive and deed.sign != "=":
            return evidence(dialogue, last.first, last.last, "negated_outcome")
        if (deed.family in DECIDED if positive and claim.told == "done" else claim.told == "promised" and not said_deeds(
                dialogue, deed)) and not left_word(claim):
            return flag(dialogue, last.first, "recorded_voice", CONTRADICTED if positive else UNSUPPORTED, last=last.last)
    said = said_deeds(dialogue, deed)
    if claim.kind == ACTION:
        return grade_action(claim, deed, said, dialogue)
    if deed.said and claim.told == "done" and not said and deed.said.isdisjoint(dialogue.stems) and (
            deed.sign == "-" or speaks_of_nothing(claim, dialogue)):
        return flag(dialogue, None, "never_mentioned")
    return grade_outcome(claim, deed, said, dialogue)


def grade_word(claim, dialogue, root, phrases):
    """The grade of an outcome word: SUPPORTED where a phrase of its own is said or its root is borne out, else flagged."""
    for phrase in phrases:
        place = phrase_place(dialogue, phrase)
        if place:
            return evidence(dialogue, *place)
    if not root:
        return flag(dialogue, None, "never_mentioned")
    claim = claim._replace(value=root, told="done", kind=OUTCOME if DEEDS[root].sign != "=" else ACTION)
    grade = grade_deed(claim, dialogue)
    return grade if grade.grade != UNDECIDED else flag(dialogue, None, "never_mentioned")


def phrase_place(dialogue, phrase):
    """Where somebody but a machine or the agent's question says a phrase, its words in any form; (first, last) or None."""
    text, wanted = dialogue.text, [stem(word) for word in Text(phrase).words if word]
    for entry in dialogue.entries:
        if wanted and entry.put in ("tell", "machine"):
            stems = [stem(word) for word in text.words[entry.first:entry.last]]
            for n in range(len(stems) - len(wanted) + 1):
                if stems[n:n + len(wanted)] == wanted:
                    return entry.first + n, entry.first + n + len(wanted)
    return None


def grade_outcome(claim, deed, said, dialogue):
    """The grade of an outcome by the last Event that decides it."""
    (events, best), plain, positive = deciding_events(claim, dialogue), is_plain(claim, dialogue), is_positive(claim)
    if plain and claim.told == "done" and any(entry.put == "tell" and entry.side != "agent"
                                              for entry, _ in said_deeds(dialogue, DEEDS["wrong-number"])):
        return flag(dialogue, None, "wrong_party")
    if not events:
        alone = plain and positive and len(dialogue.utterances) < SHORT and {entry.side for entry, _ in said} == {"agent"}
        if plain and positive and not said and speaks_of_nothing(claim, dialogue):
            return flag(dialogue, None, "never_mentioned")
        return flag(dialogue, said[-1][1].first, "only_agent_said") if alone else Grade(UNDECIDED)
    last = events[-1]
    if last.sign == ("+" if positive else "-"):
        return evidence(dialogue, last.first, last.last, last.rule) if bears_out(last, deed) else Grade(UNDECIDED)
    if last.sign == "~" and claim.told == "not":
        return evidence(dialogue, last.first, last.last, "negated_outcome")
    own = claim.value in last.roots and len(dialogue.utterances) < SHORT and not left_word(claim)
    if not (plain or own) or not positive and (any(event.sign == "-" for event in events) or best < .15
                                               and 1 in about(claim).values() and len(dialogue.utterances) < SHORT):
        return Grade(UNDECIDED)
    if decides_nothing(last, claim, dialogue):
        return Grade(UNDECIDED)
    if last.sign == "~":
        return flag(dialogue, last.first, "hedged", last=last.last)
    same = [event for event in takewhile(lambda event: event.sign == last.sign, reversed(events))]
    last = next((event for event in same if event.callee), last)
    failed = any(event.act == "fail" for event in same)
    return flag(dialogue, last.first, "failed" if failed else "refused",
                CONTRADICTED if last.callee else UNSUPPORTED, last=last.last)


def decides_nothing(event, claim, dialogue):
    """Does an Event that speaks against a claim leave it open all the same?

    Where more is settled after it; a maybe about another matter, in a call of several; the other side's no to what
    the agent is told to have agreed to; the no that a move begins with ("I can't do Tuesday any more"), or ends with
    ("you're down for Monday, Friday is cancelled").
    """
    if goes_on(event, dialogue) or event.callee and word_before(claim.source, claim.first) in AGENT:
        return True
    if len(dialogue.utterances) >= BRIEF and (claim.told == "not" or event.sign == "~" and (
            claim.value not in event.roots and event.stems.isdisjoint(about(claim)))):
        return True
    number = dialogue.number_of(event.first)
    return is_positive(claim) and DEEDS[claim.value].family == "change" and any(
        one.sign == "+" and (one.first > event.first or one.act == "done" and dialogue.number_of(one.first) == number)
        for one in events_of(dialogue))


def goes_on(event, dialogue):
    """Is more settled after the utterance of an Event: two values or more?"""
    end = dialogue.utterances[dialogue.number_of(event.first)].last
    return len(dialogue.firsts) - bisect_left(dialogue.firsts, end) > 1


BRIEF, SHORT, MIDDLING = 7, 12, 36      # utterances of a call that is about one thing, or little more


def is_plain(claim, dialogue):
    """Is a plain yes or no what a claim is held against? In a short call; in a longer one only where the claim's sentence
    tells little else, and the call ends on it.
    """
    text, everything, size = claim.source, events_of(dialogue), len(dialogue.utterances)
    if DEEDS[claim.value].family not in DECIDED or size >= MIDDLING or left_word(claim):
        return False
    if size < SHORT:
        return True
    first, last = text.sentence(claim.first)
    if not everything or sum(text.words[n] not in TELLING for n in content(text, first, last).values()) > 3 \
            or any(first <= mention.first < last for mention in mentions_of(text)):
        return False
    if is_positive(claim):
        return everything[-1].sign != "+" and not any(event.sign == "+" and event.firm for event in everything[-2:])
    return {event.sign for event in everything[-3:] if event.firm} == {"+"} == {event.sign for event in everything[-3:]} - {"~"}


def left_word(claim):
    """Does the clause of a claim tell of a message, a menu or a question, so that nothing is agreed in it?"""
    first, last = clause_at(claim.source, claim.first)
    return not LEFT_WORD.isdisjoint(claim.source.words[first:last])


def told_of_agent(claim):
    """Is a deed told of the agent: "the agent has also sent it", "The agent took a report and sent it"?"""
    words, i, opens = claim.source.words, claim.first - 1, claim.source.sentence(claim.first)[0]
    while words[i] in PASSING | AUXILIARY | AND_THEN:
        i -= 1
    if words[i + 1] in AND_THEN and OTHER_SUBJECTS.isdisjoint(words[opens + 2:i]):
        i = next((k for k in range(opens, opens + 3) if words[k] in AGENT), i)
    return words[i] in AGENT and words[i - 1] in BEFORE_AGENT


def is_positive(claim):
    """Does a claim tell that a matter went ahead?"""
    sign = DEEDS[claim.value].sign
    return sign != "=" and (sign == "-") == (claim.told == "not")


def speaks_of_nothing(claim, dialogue):
    """Does the call have none of the words that a claim's clause is about: of a deed, those behind it?"""
    own = [one for one, weight in about(claim).items() if weight == 1]
    if claim.kind == ACTION and "@be" not in CLASSES.get(word_before(claim.source, claim.first), ()):
        behind = content(claim.source, claim.last, clause_at(claim.source, claim.first)[1])
        own = [one for one in own if one in behind] or own
    first, last = clause_at(claim.source, claim.first)
    told = [key for mention in mentions_of(claim.source) if first <= mention.first < last
            and mention.kind == DATE_TIME for key in mention.keys]
    return dialogue.stems.isdisjoint(own) and dialogue.index.keys().isdisjoint(told) \
        and bool(own or DEEDS[claim.value].said)


def unsaid_thing(claim, dialogue):
    """Is a deed told as done to a thing of some weight that the call has no word for: "a survey", "a supervisor"?"""
    text, (first, last) = claim.source, clause_at(claim.source, claim.first)
    start = first if "@be" in CLASSES.get(word_before(text, claim.first), ()) else claim.last         # "a refund was issued"
    return any(all(thing_place(dialogue, one) is None for one in THINGS[word])
               and word not in dialogue.field_words and not (word in DEEDS and said_deeds(dialogue, DEEDS[word]))
               for word in text.words[start:last] if word in THINGS)


def ends_recorded(dialogue):
    """Did nobody but a machine speak on the other side since somebody there last said more than three words, and
    no person at length before it?
    """
    spoken = [one.first for one in dialogue.spoken if one.last - one.first > 3]
    return bool(dialogue.recorded) and len(spoken) < SHORT and max(spoken, default=-1) < dialogue.recorded[-1].first


def said_deeds(dialogue, deed):
    """[(entry, act)] of every place where the call speaks of a deed or its family; "send" is general."""
    key, families = ("deeds", deed.family), {deed.family, *KINDRED.get(deed.family, ())}
    if key not in dialogue.cache:
        dialogue.cache[key] = [(entry, act) for entry in dialogue.entries for act in entry.deeds
                               if DEEDS[act.does].family in families][-MOST:]
    return dialogue.cache[key]


def grade_state(claim, deed, dialogue):
    """The grade of "it went to voicemail", "nobody answered", a wrong number, an opt-out."""
    if deed.root in dialogue.facts:
        return Grade(SUPPORTED, None, "record_field", dialogue.facts[deed.root])
    said = said_deeds(dialogue, deed)
    if deed.root in ("voicemail", "no-answer") and dialogue.recorded:
        one = dialogue.recorded[-1]
        return evidence(dialogue, one.first, min(one.last, one.first + 12))
    if said:
        return evidence(dialogue, said[-1][1].first, said[-1][1].last)
    if "human" in dialogue.facts and deed.root in ("voicemail", "no-answer"):
        return Grade(UNSUPPORTED, None, None, dialogue.facts["human"], reason="record_field")
    if deed.root != "no-answer" and deed.said.isdisjoint(dialogue.stems) and len(dialogue.utterances) < SHORT:
        return flag(dialogue, None, "never_mentioned")      # who was not reached may be another than who spoke
    return Grade(UNDECIDED)


def grade_action(claim, deed, said, dialogue):
    """The grade of a deed or promise: the call speaks of it, denies it, or has nothing like it."""
    if unsaid_thing(claim, dialogue):
        return flag(dialogue, None, "never_mentioned")
    if said:
        rows = [Event("-" if "not" in act.colours or entry.state == "refused" and entry.put in ("ask", "info") else "+", act.first, act.last, act.does, (), None,
                      entry.stems, entry.side != "agent", True) for entry, act in said if "if" not in act.colours]
        near, _ = concerned(dialogue, about(claim), rows)
        kept = [row for row in near if row.sign == "+"]
        if kept:
            best = next((row for row in reversed(kept) if DEEDS[row.act].family == deed.family), kept[-1])
            return evidence(dialogue, best.first, best.last, None if DEEDS[best.act].family == deed.family else "general_word")
        last = near[-1] if near else None
        if last and len(dialogue.utterances) < SHORT and claim.told != "not" and not goes_on(last, dialogue):
            return flag(dialogue, last.first, "refused", CONTRADICTED if last.callee else UNSUPPORTED, last=last.last)
        return Grade(UNDECIDED)
    if claim.told != "not" and claim.value not in TOLD_FREELY and deed.said.isdisjoint(dialogue.stems) \
            and speaks_of_nothing(claim, dialogue):
        return flag(dialogue, None, "never_mentioned")
    return Grade(UNDECIDED)


# ---------------------------------------------------------------------------------------- check first

# what is seen of a clause: how much it adds to its risk (fitted on labelled calls), and what a person is
# told of it
RISKS = {
    "flagged": (3.25, "{why}"), "undecided": (.65, "it was not found in the call, nor ruled out"),
    "rival": (1.8, "the call also says {rival}"), "other_name": (.85, "the call also says {rival}"),
    "turned": (1.15, "it is told as a yes, and a no stands near it"),
    "denied": (.45, "something near it was denied or turned down"),
    "promised": (.65, "it is told as certain to come"),
    "scattered": (.6, "its words are said far apart, if at all"),
    "spread": (.9, "its values are said far apart"),
    "agent": (.8, "it tells what the agent did"), "firm": (.3, "it is told as firm"),
    "unsaid": (.45, "few of its words are said in the call"), "long": (.75, "it says much at once"),
    "values": (-.65, ""), "opening": (-1.75, ""), "last": (-.8, ""),
}
FIRM_WORDS = word_set("is are has will confirmed agreed")
WENT_WELL = word_set("""agreed accepted approved granted allowed took taken added waived kept works worked fixed
restored booked arranged chose passed happy can able available possible succeeded successful cleared released
confirmed included refundable refunded credited issued""")
TOLD_NO = word_set("declined refused unable without") | NEGATIONS
NO_NEAR = word_set("no nah sorry afraid unfortunately") | NEGATIONS


def clauses_of(summary):
    """The clauses of a summary as (first word, last excluded), labels taken off; a short one joins its
    neighbour.
    """
    heads, opens, labels, found = acts_of(summary).heads, set(summary.opens), label_words(summary), []
    for first, last in zip(heads, heads[1:] + [summary.size]):
        while first < last and first in labels:
            first += 1
        head, end = found[-1] if found else (0, -1)
        if end == first and first not in opens and (end - head < 7 or last - first < 6) and first < last:
            found[-1] = head, last
        elif first < last:
            found.append((first, last))
    return found


def check_first(audit, most=3):
    """The stretches of a summary that a person should look at first, the riskiest first: [{"text", "span",
    "why",
    "turn_index"}].
    """
    if not audit.claims or not audit.dialogue.turns:
        return []
    summary, rows, pairs = audit.claims[0].source, [], list(zip(audit.claims, audit.grades))
    firsts = [claim.first for claim in audit.claims]
    for first, last in clauses_of(summary):
        own = pairs[bisect_left(firsts, first):bisect_left(firsts, last)]
        near = nearest_entries(audit.dialogue, summary, first, last)
        seen = {name: value * RISKS[name][0]
                for name, value in risks_of(audit.dialogue, summary, first, last, own, near).items()}
        rows.append((first, last, seen, own, near))
    rows.sort(key=lambda row: -sum(row[2].values()))
    return [look_at(audit.dialogue, summary, *row) for row in rows[:most]]


def look_at(dialogue, summary, first, last, seen, own, near):
    """An entry of check_first, of a clause with its weighed risks, claims, grades and nearest entries."""
    start, end = summary.starts[first], summary.ends[last - 1]
    flagged = [(claim, grade) for claim, grade in own if grade.grade in (UNSUPPORTED, CONTRADICTED)]
    turns = [grade.turn_index for _, grade in flagged] + [
        dialogue.turn_of(dialogue.entries[k].first).index for k in near] + [grade.turn_index for _, grade in own]
    if flagged:
        why = why_of(*flagged[0], said_instead(flagged[0][0], dialogue))
    else:
        named = sorted((name for name in seen if seen[name] > 0), key=seen.get, reverse=True)
        rival = max([likely_rival(claim, dialogue) for claim, _ in own], key=lambda row: row[0], default=(0, None))[1]
        said = rival and dialogue.text.raw[dialogue.text.starts[rival.first]:dialogue.text.ends[rival.last - 1]]
        why = "; ".join(dict.fromkeys(RISKS[name][1].format(rival=f"“{said}”") for name in named[:2]))
    return {"text": summary.raw[start:end], "span": [start, end],
            "why": why[:1].upper() + why[1:].rstrip(".") + ".", "turn_index": next((turn for turn in turns if turn is not None), None)}


def weighed(dialogue, summary, first, last):
    """[(stem, weight)] of a clause: words that any summary has weigh little, words that the call says often
    too.
    """
    return [(one, (.35 if summary.words[i] in TELLING else 1) / (.6 + .4 * dialogue.spread.get(one, 1)))
            for one, i in content(summary, first, last).items()]


def nearest_entries(dialogue, summary, first, last):
    """The numbers of the entries that share most of a clause's rare words, the nearest first; a neighbour's
    words count too.
    """
    scores = {}
    for one, weight in weighed(dialogue, summary, first, last):
        for k in dialogue.holders.get(one, ())[-MOST:]:
            for near, part in ((k - 1, .3), (k, 1), (k + 1, .3)):
                scores[near] = scores.get(near, 0) + part * weight
    best = max(scores.values(), default=0)
    return sorted((k for k, score in scores.items() if score >= .7 * best and 0 <= k < len(dialogue.entries)),
                  key=lambda k: (-scores[k], -k))


def risks_of(dialogue, summary, first, last, own, near):
    """{name of RISKS: 0 to 1, of rivals to 1.5} of a clause with its claims and grades, and the entries nearest to it."""
    words, stems = summary.words[first:last], weighed(dialogue, summary, first, last)
    entries, total = dialogue.entries, sum(weight for _, weight in stems)
    told = {told_of(summary, act) for act in deeds_in(summary, first, last)}
    core = [entries[k] for k in near]
    heard = {act.does for entry in core for act in entry.acts} | {entry.state for entry in core}
    grades, sure = {grade.grade for _, grade in own}, told.isdisjoint(("maybe", "asked", "not"))
    best = max((sum(weight for one, weight in stems if one in entry.stems) for entry in core), default=0)
    turns = [grade.turn_index for _, grade in own if grade.grade == SUPPORTED and grade.turn_index is not None]
    rival, other_name = (max([likely_rival(claim, dialogue)[0] for claim, _ in own if (claim.kind == NAME) == named],
                             default=0) for named in (False, True))
    return {
        "flagged": not grades.isdisjoint((UNSUPPORTED, CONTRADICTED)), "undecided": UNDECIDED in grades,
        "rival": max(0, min(1.5, rival / ENOUGH)), "other_name": max(0, min(1.5, other_name / 2)),
        "turned": not WENT_WELL.isdisjoint(words) and TOLD_NO.isdisjoint(words) and any(
            not NO_NEAR.isdisjoint(dialogue.text.words[first:last]) for first, last in around(dialogue, near[:2])),
        "unsaid": min(1, sum(one not in dialogue.counts and summary.words[i] not in TELLING
                             for one, i in content(summary, first, last).items()) / 4),
        "scattered": 1 - best / total if total else .2,
        "spread": min(1, (max(turns) - min(turns)) / 20) if turns else 0,
        "promised": "promised" in told or "will" in words or "ll" in words,
        "denied": sure and not heard.isdisjoint(("refused", "no", "gone", "fail")),
        "values": min(1, sum(claim.kind in (NUMERIC, DATE_TIME) for claim, _ in own) / 4),
        "agent": not AGENT.isdisjoint(words[:3]),
        "firm": sure and not FIRM_WORDS.isdisjoint(words),
        "long": min(1, (last - first) / 16), "opening": first < 3, "last": last == summary.size,
    }


def deeds_in(text, first, last):
    """The Acts of a run of words that are deeds."""
    deeds = acts_of(text).deeds
    firsts = text.cache.get("deed firsts") or text.cache.setdefault(
        "deed firsts", [act.first for act in deeds])
    return deeds[bisect_left(firsts, first):bisect_left(firsts, last)]


def around(dialogue, near):
    """(first word, last excluded) of some entries and of what the other side says to them."""
    for k in near:
        yield dialogue.entries[k][:2]
        for reply in dialogue.entries[k + 1:k + 3]:
            if reply.number != dialogue.entries[k].number:
                yield reply.first, min(reply.last, reply.first + 10)


def anchor_claims(claims, turns, call_date=None, day_first=False, facts=None):
    """Find for each claim where in the turns it was said; a list of Grade, one for each claim, in their
    order.

    turns are {"speaker", "text"} objects or Turn records, call_date a datetime.date or a tuple of possible
    ones, facts what the record's fields say ({"voicemail": "status=VOICEMAIL"}).

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
        return read_text(turns)
    read = []
    for index, turn in enumerate(turns if isinstance(turns, (list, tuple)) else ()):
        if isinstance(turn, dict):
            label = item_label(turn)
            text = next((turn[key] for key in TEXT_KEYS if isinstance(turn.get(key), str)), None)
            turn = Turn(index, role_of(label) or "other", label, text)
        if isinstance(turn, Turn) and isinstance(turn.text, str) and turn.text and turn.speaker != "drop":
            read.append(turn)
    return read


# --------------------------------------------------------------------------------------------- fields
# What a platform's model filled in beside the summary. A leaf is told as a line of its own,
# "visit_time=14:30", read as a summary is, and graded on the same grounds.

# a value that a model filled in: its path in the record, the words of its key, the value, and whether it is
# put forward as said
Leaf = namedtuple("Leaf", "path words value quoted")
# a Leaf as the card shows it, its gravest claim; rivals: claims of the summary that say otherwise
Field = namedtuple("Field", "path shown claim grade rivals")
FIELD_GRADES = (CONTRADICTED, UNSUPPORTED, UNDECIDED, SUPPORTED, None)          # the gravest first
ABSENT = ("not_said", "kind_absent_from_transcript")
MOST_LEAVES = 500
TEXT = "text"                   # the kind of a field that states no value, name or deed


def with_fields(call, record, keys=None):
    """A `Call` with the fields of its parsed record, for `audit --fields`; the same call where keys is None.

    keys are further names under which fields stand. Each recipient gets the fields beside it. What lies
    behind 500 leaves, 50,000 characters or 40 levels is left out, with the warning "fields_cut".

    >>> record = {"transcript": "BOT: For four?", "structuredData": {"partySize": 4}}
    >>> with_fields(read_call(record, "a record"), record, ()).fields
    (Leaf(path='structuredData.partySize', words=('party', 'size'), value=4, quoted=False),)
    """
    if keys is None:
        return call
    walked = list(islice(leaves_in(record, FIELD_PLACES.union(keys)), MOST_LEAVES + 1))
    sizes = accumulate(len(str(leaf)) for leaf in walked)
    kept = [leaf for leaf, size in zip(walked[:MOST_LEAVES], sizes) if leaf and size <= MOST_SUMMARY]
    people = [one._replace(fields=tuple(leaf for leaf in kept if f"recipients[{n}]" in leaf.path))
              for n, one in enumerate(call.recipients)]
    return call._replace(
        fields=tuple(leaf for leaf in kept if not people or "recipients[" not in leaf.path),
        warnings=(*call.warnings, *["fields_cut"] * (len(kept) < len(walked))), recipients=tuple(people))


def leaves_in(value, keys, path="", words=None, quoted=False, depth=0):
    """Every Leaf of a record, in order, None for what is nested too deep; words is None where none stand.

    >>> [leaf.words for leaf in leaves_in({"analysis": {"name": "Party size", "value": 4}}, {"analysis"})]
    [('party', 'size')]
    """
    if not isinstance(value, (list, dict)):
        if words and not is_no_claim(value, words):
            yield Leaf(path, words, value, quoted and len(str(value).split()) > 3)
    elif depth > MAX_DEPTH:
        yield from [None] * (words is not None)
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            yield from leaves_in(inner, keys, f"{path}[{n}]", words, quoted, depth + 1)
    else:
        left_out = NO_FIELDS.union(CALLER_KEYS if path.endswith("variables") else ())
        if words is not None and ANSWER_KEYS & value.keys():
            words, left_out = key_words(value.get("name", "")) or words, left_out | ANSWER_NOTES
        elif value.keys().isdisjoint(("structuredContent", "structured_content")):
            value = {**value, "content": content_object(value.get("content")) or value.get("content")}
        for key, inner in value.items():
            own, name = words, key_words(key)
            if key in keys:
                own = () if isinstance(inner, dict) else name
            elif words is not None:
                own = tuple(word for word in (*words, *name) if word not in VAGUE_KEYS) or name
            said = quoted or words is not None and not QUOTE_KEYS.isdisjoint(name[-1:])
            if key not in left_out:
                yield from leaves_in(inner, keys, f"{path}.{key}".lstrip("."), own, said, depth + 1)


def key_words(key):
    """The words of a key.

    >>> key_words("callbackTime"), key_words("deposit_paid"), key_words("VIN-number")
    (('callback', 'time'), ('deposit', 'paid'), ('vin', 'number'))
    """
    found = pattern(r"[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|[A-Z][^\W\d_A-Z]+|\d+").findall(str(key)[:120])
    return tuple(map(str.lower, found))


def is_no_claim(value, words):
    """Does a leaf state nothing: null, empty, "unknown", an id, an address on the web, a score, a mood?

    >>> is_no_claim("N/A", ("time",)), is_no_claim("b-77", ("booking", "id")), is_no_claim(False, ("paid",))
    (True, True, False)
    """
    return words[-1] in NO_CLAIM_KEYS or bool(pattern(NO_VALUE, re.I).fullmatch(str(value).strip()))


def judge_fields(audit):
    """The Fields of an Audit: each leaf graded by the gravest of what it states; [] without --fields."""
    leaves, told, fields, dialogue = audit.call.fields or (), set(), [], audit.dialogue
    texts = [Text(tell_leaf(leaf), audit.call.dates, audit.call.day_first) for leaf in leaves]
    if leaves:                                              # no field bears itself out
        dialogue.field_words = field_words_of(dialogue.record, {str(leaf.value) for leaf in leaves})
    for leaf, text in zip(leaves, texts):
        # what any field tells is told; but fields leave out most of what is said
        text.cache.update(told=told, enough=ENOUGH + 1.2)
        for mention in mentions_of(text) if not leaf.quoted else ():
            told.update(mention.keys)
    for leaf, text in zip(leaves, texts):
        graded = sorted(grade_leaf(leaf, text, dialogue) if text.size else [],
                        key=lambda pair: FIELD_GRADES.index(pair[1].grade))
        for claim, grade in graded[:1]:
            rivals = rivals_of(claim, grade, audit)
            later = max((spot.first for one in rivals for _, spot in said_places(one, dialogue)), default=0)
            if later and grade.grade == SUPPORTED and all(
                    spot.first < later for _, spot in said_places(claim, dialogue)):
                grade = flag(dialogue, later, "superseded")     # the summary tells what stood
            if grade.grade in (SUPPORTED, UNDECIDED) and audit.claims and summary_denies(
                    leaf, claim, audit.claims[0].source):
                grade = flag(dialogue, None, "summary_denies")
            fields.append(Field(mask_pii(leaf.path), shown_value(leaf.value), claim,
                                settled(claim, grade, audit), rivals))
    return fields


def shown_value(value):
    """A field's value as the card shows it: a text masked and of at most 160 characters, all else as it is.

    >>> shown_value(True), shown_value(4.5), shown_value(15555550142)
    (True, 4.5, '#########42')
    """
    masked = mask_pii(str(value))
    return value if masked == str(value) and not isinstance(value, str) else cut_around(masked, 0, 0, 160)


def tell_leaf(leaf):
    """A leaf as a line of text: "=" before a value makes its key its unit.

    >>> [tell_leaf(Leaf("", *leaf, False)) for leaf in [
    ...     (("party", "size"), 4), (("fee", "cents"), 4550), (("since",), "2022-09")]]
    ['party_size=4', 'fee=45.50', 'since=sep 2022']
    """
    if isinstance(leaf.value, bool):
        return " ".join(leaf.words).capitalize()
    words = ["former" if word in OLD_KEYS else word for word in leaf.words]
    value = mask_pii(str(leaf.value).strip())
    major = [word for word in words if word not in MINOR_UNITS]
    if len(major) < len(words) and value.isdecimal():
        words, value = major, f"{int(value) / 100:.2f}"
    month = pattern(ISO_MONTH).fullmatch(value)
    if month and 0 < int(month[2]) < 13:
        value = f"{MONTH_NAMES[int(month[2]) - 1]} {month[1]}"
    return "_".join(words) + "=" + pattern(ISO_TIME).sub(r"\1 at \2", value).replace("_", " ")


def grade_leaf(leaf, text, dialogue):
    """[(claim, grade)] of all that a leaf states; [] where it states nothing."""
    start, switch = text.raw.find("=") + 1, isinstance(leaf.value, bool)
    value = text.raw[start:]
    whole = claim_of(text, TEXT, None, 0, text.size)._replace(span=[start, len(text.raw)])
    claims = quotes_of(leaf, text, start) or [claim for claim in claims_of(text) if claim.span[0] >= start
                                              and claim.kind not in (OPINION, SPELLED)]
    if switch:
        claims = [claim._replace(span=whole.span) for claim in claims if claim.kind in (OUTCOME, ACTION)][-1:]
    if claims:
        return [(claim, grade_stated(claim, leaf, dialogue)) for claim in claims]
    if switch:
        return [(whole, Grade(UNDECIDED))] * leaf.value
    if "#" in value:
        return [(whole._replace(kind=MASKED), Grade(None))]
    words = dict.fromkeys(pattern(r"[^\W\d_]{4,}").findall(value.lower()) or [value])
    kind = NAME if pattern(EMAIL).fullmatch(value) else TEXT
    claim = whole._replace(kind=kind, mention=Mention(NAME, value, words, None, None, 0, text.size))
    grade = grade_name(claim, dialogue)
    shown = grade.reason != "superseded" and (kind == NAME or grade.grade == SUPPORTED)
    return [(claim, grade if shown else Grade(UNDECIDED))]


def grade_stated(claim, leaf, dialogue):
    """The grade of a claim, but for what a field may tell all the same.

    A small count that the model counted, a date said by its weekday or its month, a card's expiry, "Ford
    Fiesta" of a Fiesta.
    """
    if claim.kind == TEXT:
        return grade_quote(claim, dialogue)
    grade, = grade_claims([claim], dialogue)
    if claim.kind in (OUTCOME, ACTION):
        return grade_switch(claim, leaf, grade, dialogue)
    pardoned = claim.value in ("0", "1", "2")
    if claim.kind == NAME:
        pardoned = grade.reason == "superseded" or opens_text(claim) or PERSON_KEYS.isdisjoint(leaf.words) and any(
            name_place(dialogue, word) for word in claim.mention.keys if not everyday(word))
    elif claim.kind == DATE_TIME and grade.reason in ABSENT:
        month, _, day = claim.value.partition(" ")
        pardoned = EXPIRY_KEYS.intersection(leaf.words) or by_weekday(claim.mention, dialogue, range(-366, 366)) \
            or day in ("1", "30", "31") and month in map(MONTHS.get, dialogue.said)
    return Grade(UNDECIDED) if pardoned and grade.grade == UNSUPPORTED else grade


def opens_text(claim):
    """Is a name the first word of a longer text, an ordinary one for all that is known: "Suspected termites in the
    laundry"? Not "Ingrid will call".
    """
    text, behind = claim.source, claim.last
    return text.raw[claim.span[0] - 1] == "=" and len(claim.mention.keys) == 1 and text.size - behind > 2 \
        and text.words[behind] not in AUXILIARY and text.raw[text.starts[behind]].islower()


def grade_switch(claim, leaf, grade, dialogue):
    """The grade of a deed that a field tells: undecided where it is not borne out plainly.

    True is flagged where it is about a thing that the call has no word for; False where the call tells it as done ("it's booked")
    beside all that its key is about.
    """
    text, own = dialogue.text, about(claim)
    if leaf.value is False:
        place = dialogue.said.get(claim.source.words[claim.last - 1], 0)
        near = stems_of(text)[max(place - 25, 0):place + 6]
        done = grade.grade == SUPPORTED and not DONE_BEFORE.isdisjoint(text.words[max(place - 3, 0):place])
        return flag(dialogue, place, "was_done") if done and dialogue.stems.intersection(own).issubset(near) \
            else Grade(UNDECIDED)
    if unsaid_thing(claim._replace(last=0), dialogue):
        return flag(dialogue, None, "never_mentioned")
    if grade.reason == "recorded_voice" and claim.value in ("confirm", "accept"):
        return grade                                        # what the agent told a machine nobody agreed to
    return grade if grade.grade == SUPPORTED and not grade.rule else Grade(UNDECIDED)


def summary_denies(leaf, claim, summary):
    """Does the summary deny what a field tells: "no visit was booked", "opened at $189, settled on $169"?"""
    if claim.kind in (NUMERIC, DATE_TIME):
        return not tells_old(claim) and turned_down(claim, summary)
    if claim.kind == NAME:
        spots = [i for i in range(summary.size) if summary.words[i] in claim.mention.keys]
        return bool(spots) and OLD_KEYS.isdisjoint(leaf.words) and all(
            not TURNED_FROM.isdisjoint(summary.words[max(i - 3, 0):i]) for i in spots)
    yes = leaf.value is True or isinstance(leaf.value, str) and claim.kind in (OUTCOME, ACTION)
    return yes and claim.told != "not" and NEED_KEYS.isdisjoint(leaf.words) and told_as_no(claim, summary)


def turned_down(claim, summary):
    """Is a value told as turned down or former only, each time in a sentence with one that no field tells?"""
    mentions = list(mentions_of(summary))
    told = [one for one in mentions if not one.keys.keys().isdisjoint(claim.mention.keys)]
    stood = [one for one in mentions if same_sort(claim.mention, one) and told_keys(claim.source).isdisjoint(one.keys)
             and not tells_old(value_claim(summary, one, ()))]
    return bool(told) and all(summary.words[one.first - 1] not in TO and tells_old(value_claim(summary, one, ())) and any(
        summary.sentence(one.first) == summary.sentence(other.first) for other in stood) for one in told)


def told_as_no(claim, summary):
    """Is the clause of a summary that is most about an outcome a no to it, the last of equal ones?"""
    own, words = {stem(word) for word in claim.source.words if word not in STATUS_KEYS}, summary.words
    stems, best, denied = stems_of(summary), 0, False
    heads = sorted({*acts_of(summary).heads, *summary.opens, summary.size})
    for first, last in zip(heads, heads[1:]):
        deeds = [act for act in deeds_in(summary, first, last) if act.does == claim.value]
        spots = {i for i in range(first, last) if stems[i] in own} | {act.first for act in deeds}
        score = len({stems[i] for i in spots}) + .3 * len(own.intersection(stems[slice(*summary.sentence(first))])) \
            + .1 * any(told_of(summary, act) in ("done", "promised") for act in deeds)
        if spots and score >= best:
            best, denied = score, any(
                words[i] in DENIALS | TOLD_OPEN and stems[i] not in own
                or words[i] in DENIES_NEXT and not spots.isdisjoint(range(i, i + 4)) for i in range(first, last))
    return denied


def quotes_of(leaf, text, start):
    """The claims of what a leaf puts forward as said: what stands in quotation marks, or a quote without."""
    marked = [m.span(1) for m in pattern(QUOTED).finditer(text.raw, start)]
    whole = [(start, len(text.raw))] * (leaf.quoted and REPORTS.isdisjoint(text.words))
    spans = [[bisect_left(text.starts, place) for place in span] for span in marked or whole]
    return [claim_of(text, TEXT, None, first, last) for first, last in spans if last - first > 2]


def grade_quote(claim, dialogue):
    """The grade of a quote: said where four in five of its words stand in their order, a few between them.

    Words count by their sound, and values must be said under some reading.
    """
    from difflib import SequenceMatcher
    text, size = claim.source, claim.last - claim.first
    heard = dialogue.cache.setdefault("heard", list(map(sound, dialogue.text.words)))
    match = SequenceMatcher(None, list(map(sound, text.words[claim.first:claim.last])), heard, False)
    first = match.find_longest_match(0, size, 0, len(heard))
    start = max(first.b - first.a, 0)
    match.set_seq2(heard[start:start + size + 8])
    met = sum(block.size for block in match.get_matching_blocks())
    values = [value_claim(text, one, ()) for one in mentions_of(text)]
    loose = sum(value.last - value.first for value in values)
    if any(grade.reason in ABSENT for grade in grade_claims(values, dialogue)) or met < .8 * (size - loose):
        return flag(dialogue, None, "quote_not_said")
    return evidence(dialogue, first.b, first.b + 1, None if met == size else "loose_reading")


def rivals_of(claim, grade, audit):
    """The claims of the summary that tell another value of a field's sort, where it tells not this one and no
    field theirs: clock times, what has its unit, and what stands by a word of the field's key.
    """
    return [one for one in audit.claims if {claim.kind, one.kind} <= {NUMERIC, DATE_TIME}
            and ENDS.isdisjoint(one.source.words[max(one.first - 2, 0):one.first])
            and same_sort(claim.mention, one.mention) and told_keys(one.source).isdisjoint(claim.mention.keys)
            and told_keys(claim.source).isdisjoint(one.mention.keys)
            and (grade.grade == UNSUPPORTED or one.mention.sort == ("clock",) or not about(claim).keys(
                ).isdisjoint(content(one.source, *clause_at(one.source, one.first))))]


def field_row(field, audit):
    """A field of the card: its path and value, and what became of it as with a claim."""
    row = claim_row(field.claim, field.grade, audit)
    return {"path": field.path, "value": field.shown,
            **{key: row[key] for key in row if key not in ("text", "value", "span")}}


def stated_of(fields):
    """[(claim, grade)] of fields as the card counts and names them: by their value and path."""
    return [(field.claim._replace(value=f"{cut_around(str(field.shown), 0, 0, 40)} ({field.path})"),
             field.grade) for field in fields]


# ----------------------------------------------------------------------------------------------- card


def analyze(turns, summary, call_id=None, strict=False, call_date=None, day_first=False, language=None,
            facts=None, warnings=()):
    """Audit one summary against one conversation; the card as a dict.

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


def audit_task(call, strict=False, known=OUTCOME_WORDS):
    """The Audit of a Call; where it has several recipients, with theirs."""
    audit = audit_call(call, strict, known)
    return audit._replace(recipients=[audit_call(one, strict, known) for one in call.recipients])


def speaks_english(text):
    """Is a text in the language that is read? Too little text passes;
    else one word in eight must be a common one."""
    words = text.words[:2000]
    spelled = sum(map(":".__lt__, words))                   # no number in digits
    return spelled < 8 or 8 * sum(map(ENGLISH_WORDS.__contains__, words)) >= spelled


def audit_call(call, strict=False, known=OUTCOME_WORDS):
    """Run the stages on one Call; known are the outcome words that can be checked."""
    text = Text(mask_pii(call.summary or ""), call.dates, call.day_first)
    claims = claims_of(text, known) if not is_no_summary(text.raw) \
        else [unchecked_claim(text, 0, text.size)] * bool(text.size)
    firsts = list(accumulate([0] + [len(one.turns) for one in call.recipients]))
    dialogue = Dialogue(call.turns, call.dates, call.day_first, call.facts, firsts, call.record)
    readable = any(claim.kind in (OUTCOME, ACTION) for claim in claims)
    foreign = not speaks_english(dialogue.text) or not readable and not speaks_english(text) or \
        call.language and not call.language.startswith("en")
    if foreign:                                             # in German every noun has a capital
        claims = [claim for claim in claims if claim.kind != NAME or claim.mention.unit == CODE]
    grades = grade_claims(claims, dialogue, known)
    if call.recipients:
        grades = grade_recipients(call, claims, grades, firsts)
    word = outcome_word(text, known)
    unread = word and word[1].replace(" ", "_") not in known
    warnings = [*call.warnings, *["outcome_not_read"] * bool(unread),
                *["language_not_supported"] * bool(foreign)]
    audit = Audit(call._replace(warnings=warnings), text.raw, dialogue, claims, grades, strict, ())
    return audit._replace(grades=[settled(claim, grade, audit) for claim, grade in zip(claims, grades)])


def settled(claim, grade, audit):
    """A claim's grade where the call's language is not read, or with --strict."""
    if grade.grade not in (None, SUPPORTED) and "language_not_supported" in audit.call.warnings \
            and claim.kind not in audit.dialogue.kinds:
        return Grade(None, reason="language_not_supported")
    if audit.strict and (grade.grade == UNDECIDED or grade.grade == SUPPORTED and grade.rule):
        return grade._replace(grade=UNSUPPORTED, reason="strict")
    return grade


EVERYONE = word_set("both all every each everyone everybody")


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
            each = sorted((grade_deed(claim, dialogue)
                           for dialogue in dialogues if dialogue.turns or dialogue.facts),
                          key=lambda one: (SUPPORTED, UNDECIDED, CONTRADICTED, UNSUPPORTED).index(one.grade))
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
            elif graded[n].grade in (UNSUPPORTED, UNDECIDED):
                graded[n] = Grade(SUPPORTED, None, "record_field", f"{len(dialogues)} recipients")
    return graded


RANKS = (CONTRADICTED_CLAIMS, UNSUPPORTED_CLAIMS, FAITHFUL, NO_CHECKABLE_CLAIMS)         # the worst first


def card_of(audit):
    """The card of an Audit, its keys in their order."""
    call, claims, grades, fields = audit.call, audit.claims, audit.grades, judge_fields(audit)
    stated = [*zip(claims, grades), *stated_of(fields)]
    checkable = [(claim, grade) for claim, grade in stated if grade.grade not in (None, UNDECIDED)]
    counts = {"checkable": len(checkable)}
    for name in (SUPPORTED, UNSUPPORTED, CONTRADICTED, UNDECIDED):
        counts[name.lower()] = sum(grade.grade == name for _, grade in stated)
    missing = not (call.summary and call.summary.strip())
    verdict = CONTRADICTED_CLAIMS if counts["contradicted"] else UNSUPPORTED_CLAIMS if counts["unsupported"] \
        else FAITHFUL if checkable else NO_CHECKABLE_CLAIMS
    card = {"call_id": call.call_id, "verdict": verdict}
    if verdict == NO_CHECKABLE_CLAIMS:
        card["reason"] = "summary_missing" if missing \
            else "no_summary_given" if is_no_summary(audit.summary) \
            else "undecided" if counts["undecided"] else "opinion_only"
    score = 0.0 if missing and not fields or not audit.dialogue.turns \
        else counts["supported"] / len(checkable) if checkable else 1.0
    score = int(score * 100 + .5) / 100
    card.update(score=score, label="pass" if score >= .5 else "fail",
                reasoning=reasoning_of(checkable, counts), strict=audit.strict,
                claims=[claim_row(claim, grade, audit) for claim, grade in zip(claims, grades)],
                **({} if call.fields is None else {"fields": [field_row(field, audit) for field in fields]}),
                check_first=check_first(audit), counts=counts, coverage_gaps=gaps_of(audit),
                warnings=[*call.warnings, *[f"summary_disagrees: {field.path}" for field in fields
                                            if field.rivals or field.grade.reason == "summary_denies"]])
    if audit.recipients:
        card["recipients"] = [card_of(one) for one in audit.recipients]
        worst = min([verdict] + [one["verdict"] for one in card["recipients"]], key=RANKS.index)
        if worst != verdict:
            card["verdict"] = worst
            card.pop("reason", None)
            at = [str(n) for n, one in enumerate(card["recipients"], 1) if one["verdict"] == worst]
            card["reasoning"] += f"; see recipient {', '.join(at)} of {len(card['recipients'])}"
    card.update(version=__version__, schema=SCHEMA, disclaimer=DISCLAIMER)
    return card


def is_no_summary(summary):
    """Does a text say that there is no summary: an apology, or a form of empty fields?

    >>> is_no_summary("I'm sorry, but the transcript is empty."), is_no_summary("Booked for four.")
    (True, False)
    """
    low = summary.lower()
    if len(low) < 600 and any(word in low for word in NO_SUMMARY_WORDS) \
            and pattern(NO_SUMMARY, re.I | re.X).search(low):
        return True
    values = pattern(r":\**[ \t]*([^\n]+)").findall(summary)
    empty = [value for value in values if pattern(EMPTY_FIELD, re.I).fullmatch(value)]
    return len(values) > 1 and 4 * len(empty) >= 3 * len(values)


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


def claim_row(claim, grade, audit):
    """A claim of the card."""
    kind = MASKED if grade.reason == "masked" else claim.kind
    row = {"text": claim.text, "kind": kind, "value": grouped(claim.value), "grade": grade.grade,
           "turn_index": grade.turn_index, "span": claim.span}
    if grade.grade == SUPPORTED or grade.reason == "strict":
        row["match"] = "inexact" if grade.rule else "literal"
    for key in ("rule", "speaker", "quote", "contradicted_by_turn", "reason"):
        if getattr(grade, key) is not None:
            row[key] = getattr(grade, key)
    row["id"] = claim_id(audit.call.call_id, claim.kind, claim.value, claim.text)
    row["words"] = claim.source.raw[slice(*claim.span)]
    if grade.grade in (UNSUPPORTED, CONTRADICTED, UNDECIDED):
        instead = said_instead(claim, audit.dialogue)
        row["why"] = why_of(claim, grade, instead)
        row["said_instead"] = instead
    return row


def claim_id(*parts):
    """Eight hex digits that stay the same from run to run, never seven decimal ones in a row."""
    told = "\x1f".join(map(str, parts))
    while True:
        found = f"{crc32(told.encode(errors='replace')):08x}"
        if not pattern(r"\d{7}").search(found):
            return found
        told += "\x1f"


def said_instead(claim, dialogue):
    """[{"value", "turn_index", "quote"}]: at most three of the call's values of the claim's sort, or names
    like it.
    """
    found = []
    if claim.kind in (NUMERIC, DATE_TIME):
        told, best = told_keys(claim.source).union(claim.mention.keys), {}
        like = [one for one in dialogue.mentions[-MOST:]
                if same_sort(claim.mention, one) and next(iter(one.keys)) not in told]
        for one in sorted(like, reverse=True, key=lambda one: (
                nearness(claim, dialogue, one.first), one.unit == claim.mention.unit, one.first)):
            best.setdefault(next(iter(one.keys)), (one.value, one.first, one.last))
        found = list(best.values())
    elif claim.kind == NAME and claim.mention.unit != CODE:
        word, text = bare(next(iter(claim.mention.keys))), dialogue.text
        like = [(distance(word, bare(one), 3), n) for one, n in dialogue.said.items()
                if one[:1].isalpha() and abs(len(one) - len(word)) < 4 and not everyday(one)]
        most = min(3, max(2, len(word) // 2))
        found = [(text.raw[text.starts[n]:text.ends[n]], n, n + 1) for far, n in sorted(like) if far <= most]
    elif claim.kind == NAME:
        code = next(iter(claim.mention.keys))
        found = [(run.upper(), n, n + 1) for run, n in spelled_runs(dialogue)
                 if len(run) >= len(code) - 1 and distance(code, run, 3) < 4]
    return [{"value": grouped(value), "turn_index": dialogue.turn_of(first).index,
             "quote": dialogue.quote(first, last)} for value, first, last in found[:3]]


def why_of(claim, grade, instead=()):
    """One plain sentence that says why a claim is flagged or undecided, with its words.

    >>> why_of(decompose_claims("It costs $16.")[0], Grade(UNSUPPORTED, reason="not_said"))
    '$16 is said nowhere in the call.'
    """
    words = claim.source.raw[slice(*claim.span)]
    turn = grade.contradicted_by_turn if grade.turn_index is None else grade.turn_index
    reason = grade.reason or grade.grade
    if reason == "not_said" and instead:
        reason, turn = "not_said_instead", instead[0]["turn_index"]
    said = WHY.get(reason, WHY["UNDECIDED"])
    return said.format(words=words, kind=plain_words(claim.kind),
                       turn="" if turn is None else f" (turn {turn + 1})",
                       instead=instead[0]["value"] if instead else "")


def gaps_of(audit):
    """What the call reached and the summary does not name: "outcome", "opt-out"."""
    told = {claim.value for claim in audit.claims if claim.kind in (OUTCOME, ACTION)}
    gaps, dialogue = [], audit.dialogue
    if not told and any(event.firm and DEEDS[root].family in DECIDED
                        for event in events_of(dialogue) for root in event.roots):
        gaps.append("outcome")
    if "opt-out" not in told and any(act.does == "opt-out" for entry in dialogue.entries
                                     if entry.side != "agent" and entry.put == "tell" for act in entry.deeds):
        gaps.append("opt-out")
    return gaps


# --------------------------------------------------------------------------------------------- render


def rows_of(table):
    """A table of rows `word: text` as a dict, in their order."""
    return {word: text.strip() for word, text in (row.split(":", 1) for row in table.strip().split("\n"))}


def rows_by_name(table):
    """A table of JSON objects as a dict, in their order, each under what it is `of`."""
    return {row.pop("of"): row for row in json.loads(table)}


def templates_in(text):
    """The templates in a text, by name."""
    return dict(piece[:-1].split("\n", 1) for piece in text.split("--- ")[1:])


# reason of a flag, or the grade: what a reviewer reads of the claim;
# turns count from 1
WHY = rows_of("""
not_said: {words} is said nowhere in the call.
not_said_instead: The call says {instead}{turn}; {words} is said nowhere.
kind_absent_from_transcript: The call has no {kind} at all; {words} is said nowhere.
superseded: {words} was said, but not what stood in the end{turn}.
never_mentioned: The call has no word of “{words}”.
refused: “{words}” is told, but the call decides against it{turn}.
failed: “{words}” is told as done, but in the call it failed{turn}.
hedged: “{words}” is told as firm, but in the call it was left open{turn}.
only_agent_said: “{words}” was said by the agent alone; the other side did not agree to it{turn}.
recorded_voice: “{words}” is told, but only a recorded voice answered{turn}.
wrong_party: “{words}” is told of the person called, but the call reached somebody else{turn}.
not_by_agent: “{words}” is told of the agent, who says nothing of it in the call.
quote_not_said: Nobody says “{words}”.
was_done: “{words}” is told as not done, but in the call it was{turn}.
summary_denies: The summary tells otherwise of {words}.
strict: {words} is borne out only loosely or not at all{turn}, and strict mode accepts neither.
language_not_supported: Not in English: {words} could not be looked for.
UNDECIDED: {words} was neither found in the call nor ruled out.""")
# the gravest first by rank; a tone is a colour of the style, a look the class of a mark (the most frequent
# has none); the mark of a loud claim is larger
GRADE_WORDS = rows_by_name("""[
 {"of": "CONTRADICTED", "rank": 0, "tone": "contradicted", "mark": "!", "sign": "✗",
  "lead": "Contradicted in", "title": "Contradicted", "said": "contradicted",
  "size": "loud", "look": "contradicted", "loud": true, "small": false},
 {"of": "UNSUPPORTED", "rank": 1, "tone": "unsupported", "mark": "?", "sign": "?", "lead": "Compare",
  "title": "Unsupported", "said": "unsupported", "size": "loud", "look": "unsupported", "loud": true,
  "small": false},
 {"of": "UNDECIDED", "rank": 3, "tone": "unchecked", "mark": ".", "sign": "·", "lead": "Compare",
  "title": "Undecided", "said": "undecided", "size": "loud", "look": "unchecked", "loud": true,
  "small": false},
 {"of": "SUPPORTED", "rank": 4, "tone": "supported", "mark": "+", "sign": "✓", "lead": "Said in",
  "title": "Supported", "said": "supported", "size": "small", "look": "", "loud": false,
  "small": true},
 {"of": null, "rank": 5, "tone": "unchecked", "mark": "-", "sign": "–", "lead": "See",
  "title": "Not checkable", "said": "not checkable", "size": "small", "look": "unchecked", "loud": false,
  "small": true}]""")
# by grade and match, or kind: what is borne out inexactly, and an outcome that nothing decided, on which the
# card turns; by name: other marks, and a filter of the page
LOOKS = rows_by_name("""[
 {"of": "SUPPORTED inexact", "sign": "≈", "look": "near"},
 {"of": "UNDECIDED outcome", "rank": 2, "tone": "open", "look": "open"},
 {"of": "instead", "tone": "instead", "look": "instead", "sign": "≠", "rank": 2, "said": "said instead",
  "lead": "Said instead:"},
 {"of": "see", "tone": "", "rank": 3, "lead": "See"},
 {"of": "flagged", "group": "flagged", "sign": "", "short": "Flagged"}]""")
# gravest first; None stands for a record that could not be read; a group is what a filter of the page shows
VERDICT_WORDS = rows_by_name("""[
 {"of": "CONTRADICTED_CLAIMS", "rank": 0, "group": "contradicted", "tone": "contradicted", "sign": "✗",
  "short": "Contradicted", "headline": "Contradicted: the call says otherwise",
  "todo": "Stop: read the contradicting turn, and correct the summary before anything acts on it."},
 {"of": "UNSUPPORTED_CLAIMS", "rank": 1, "group": "unsupported", "tone": "unsupported", "sign": "?",
  "short": "Unsupported", "headline": "Unsupported: not every claim was said",
  "todo": "Wait: check the unverified claims before anything acts on this summary."},
 {"of": "NO_CHECKABLE_CLAIMS", "rank": 2, "group": "unchecked", "tone": "unchecked", "sign": "–",
  "short": "Nothing to check", "headline": "Nothing to check in this summary",
  "todo": "Look yourself: read the conversation before anything acts on this summary."},
 {"of": "FAITHFUL", "rank": 3, "group": "supported", "tone": "supported", "sign": "✓", "short": "Faithful",
  "headline": "Faithful: nothing was flagged", "todo": "Errors may stand under “Check first”."},
 {"of": null, "group": "unread", "tone": "unread", "sign": "!", "short": "Could not be read"}]""")
# what a gate, and what is undecided of a faithful card, makes of a verdict's words
CASES = rows_by_name("""[
 {"of": "FAILS"},
 {"of": "PASSES", "tone": "unchecked",
  "todo": "Holds nothing up: what was found is accepted, or is none of --fail-on."},
 {"of": "held", "tone": "unsupported", "sign": "!", "todo": "Wait: {whys}"},
 {"of": "outcome", "tone": "open", "sign": "!",
  "todo": "Undecided: the outcome “{0}” (claims in all: {undecided}). Errors may stand under “Check first”."},
 {"of": "undecided", "todo": "Undecided claims: {undecided}. Errors may stand under “Check first”."}]""")
# what a card holds: what a reviewer reads. Kinds; why a claim is not verified, {kind} being its kind; how an
# inexact match was made; what there is to know of the whole call
PLAIN_WORDS = rows_of("""
date_time: date or time
numeric: number
non_checkable_masked: masked number
non_checkable_opinion: opinion
non_checkable_spelled: spelled number
CONTRADICTED: The call says the opposite.
UNSUPPORTED: No such {kind} comes up in the call.
SUPPORTED:
kind_absent_from_transcript: No {kind} at all comes up in the call.
superseded: It was said, but later refused or corrected.
hedged: The callee only hedged (“maybe”, “let me check”) and never said it firmly.
only_agent_said: Only the agent said it; the callee did not agree to it.
recorded_voice: A recorded voice answered, not a person.
strict: There is only an inexact match or none, and strict mode accepts neither.
never_mentioned: What was confirmed never comes up in the call.
refused: In the call it was turned down.
wrong_party: The call reached somebody else.
not_by_agent: The agent says nothing of it.
masked: It is masked in the call: it cannot be compared.
answered_question: the agent asked, the callee said yes
late_acknowledgement: the callee said yes late in the call
acknowledged_offer: an offer or request that was acknowledged
unit_conversion: the same amount in another unit
ambiguous_reading: one of several readings of what was said
call_date: worked out from the date of the call
general_word: a more general word for the same action or thing
negated_outcome: the call shows that it did not come to this
record_field: taken from the record, not from speech
summary_missing: The record holds no summary.
transcript_missing: The record holds no transcript.
opinion_only: The summary says nothing that can be checked.
language_not_supported: Not in English: only digits, clock times and numeric dates were read.
gap outcome: The call reached an outcome that the summary does not name.
gap opt-out: The callee wants no more calls, and the summary does not say so.
call_not_ended: The call had not ended when this was recorded.
outcome_not_read: The summary states an outcome word that is not known here.
speakers_unknown: No rule tells which speaker is the agent.
quote_not_said: Nobody says the words that are quoted.
was_done: In the call it was done.
summary_denies: The summary denies what this field tells.
summary_disagrees: The summary tells otherwise than this field.
fields_cut: There are more fields than are read, or deeper ones.
strict_mode: Strict mode: inexact matches do not count.
UNDECIDED: The call neither bears it out nor speaks against it.
undecided: Nothing that the summary says could be decided.
no_summary_given: The summary says that there is nothing to summarise.
not_said: No such {kind} comes up in the call.
failed: In the call it was tried and did not work.
loose_reading: read loosely, as a speech recogniser may have written it
sounds_like: a name that sounds or looks much like it""")
# Templates, each behind a line with its name; the break before the next such line is no part of it. A line of
# the text that has a tone before a tabulator is cut, not wrapped; one in which nothing is filled is left out.
TEMPLATES = templates_in("""\
--- text
{tone}\t{gate}  {verdict}  {score:.2f}  {name}  {reason}
  {todo}
{flagged:text flagged}{first:text first}{combined_verdict:text combined}{rest:text claim}{codes:text code}
--- text claim
{tone}\t  [{mark}] {path:text path}{words}, {kind}{read_as:text value}{turn:text turn}{rule:text rule}\
{reason:text reason}{accepted:text accepted}

--- text path
{path}, 
--- text value
, {read_as}
--- text turn
, {turn}
--- text rule
, {rule}
--- text reason
, {reason}
--- text accepted
, accepted
--- text flagged
{why:text claim}      says: {text}
      why: {why}
{quote:text quote}{said_instead:text instead}{second_opinion:text opinion}
--- text quote
      call: {speaker}: {quote}

--- text instead
      said instead: {value}, {turn}: {quote}

--- text opinion
      second opinion: {verdict} {evidence}

--- text first
  check first: "{text}" {turn} {why}

--- text combined
  with the second opinion: {combined_verdict}, {combined_reasoning}

--- text code
  {code}: {means}

--- case
  <testcase classname="{source}" name="{name}">{problem:problem}</testcase>

--- problem

    <{tag} type="{group}" message="{words}">{problems:told}</{tag}>
  
--- told
{words}

--- suite
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="call summaries" tests="{count}" failures="{failures}" errors="{errors}">
{cases}</testsuite>
</testsuites>

""")
TEXT_LEGEND = "  [!] contradicted [?] unsupported [.] undecided [+] supported [-] not checkable; " \
    "turn 3 [2]: turn_index 2"


# what a claim or a field, and a card, may lack, empty
CLAIM_SHOWN = json.loads("""{"path": "", "text": "", "words": "", "value": null, "quote": "",
 "speaker": "record", "rule": "", "reason": "", "why": "", "turn_index": null, "span": [0, 0],
 "said_instead": [], "accepted": false, "second_opinion": []}""")
CARD_SHOWN = json.loads("""{"call_id": "", "source": "", "reason": "", "claims": [], "fields": [],
 "check_first": [], "coverage_gaps": [], "warnings": [], "recipients": [], "disclaimer": "", "undecided": 0,
 "combined_verdict": "", "combined_reasoning": "", "second_opinion": [], "evidence": ""}""")
UNSHOWABLE = (              # control characters, bidi controls, lone surrogates, what XML does not hold
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
COLOURS = json.loads('{"supported": 32, "unsupported": 33, "open": 33, "contradicted": 31, "unchecked": 2}')


def visible(text):
    """A record's text for a terminal or a page: what could disturb it is shown as U+FFFD.

    >>> visible("a\\x1b[31mb\\u202ec")
    'a\ufffd[31mb\ufffdc'
    """
    return pattern(UNSHOWABLE).sub("\ufffd", text.replace("\r\n", "\n"))


def escape_text(text):
    """Text of a record as markup: escaped, and what could disturb the page shown as U+FFFD."""
    import html
    return html.escape(visible(text)).replace("&#x27;", "'")        # attributes stand between double quotes


class Html(str):
    """Text that needs no escaping."""


class Fields(dict):
    """What fills a template of markup, escaped.

    {name:each} fills the template `each` with every row of a list, with a dict, or because there is a value,
    and around that with all that fills the outer one; {name:each in frame} puts what that gives into a third.
    """
    escape = staticmethod(escape_text)

    def __getitem__(self, name):
        return Slot(dict.__getitem__(self, name), self)


class Words(Fields):
    """What fills a template of lines for a terminal."""

    @staticmethod
    def escape(text):
        return visible(" ".join(text.split()))


class Slot(namedtuple("Slot", "value fields")):
    """A place of a template, and what fills the whole."""

    def __format__(self, spec):
        (each, _, frame), (value, fields) = spec.partition(" in "), self
        if each not in TEMPLATES:
            plain = isinstance(value, (Html, int, float))
            return format(value, spec) if plain else fields.escape(value or "")
        rows = value if isinstance(value, list) else [value if isinstance(value, dict) else {}] * bool(value)
        shown = Html("".join(fill(each, type(fields)(fields, **row)) for row in rows))
        return fill(frame, type(fields)(fields, rows=shown, count=len(rows))) if frame and shown else shown


def fill(template, fields):
    """The template of that name with its fields filled in."""
    return Html(TEMPLATES[template].format_map(fields))


FAIL_ON = "unsupported contradicted no-claims warnings opt-out".split()      # what --fail-on names by default
FAIL_ON_TOO = "undecided gaps none".split()
GATED_WARNINGS = word_set(
    "call_not_ended language_not_supported transcript_missing outcome_not_read speakers_unknown "
    "fields_cut")

# why a card fails: the word of --fail-on, and a sentence
Reason = namedtuple("Reason", "group words")


def fails(card, fail_on=FAIL_ON, inner=False):
    """Why a card, or the row of a record that could not be read, passes no gate, as Reasons, its recipients'
    behind its own; an empty list if it passes.

    A recipient's card (`inner`) need not have anything to check; without a summary of its own, as of a person
    who was not reached, it fails only while the call is running.
    """
    if "error" in card:
        return [Reason("unreadable", card["error"])]
    card = {**CARD_SHOWN, **card}
    found = [Reason(row["grade"].lower(), "{kind} {value}: {why}".format_map(row))
             for row in map(plain_claim, card["claims"] + card["fields"])
             if row["loud"] and not row["accepted"]]
    silent = inner and card["reason"] == "summary_missing"
    for group, code, words in notes_of(card):
        gated = code in GATED_WARNINGS if group == "warnings" else group != "no-claims" or not inner
        if gated and (not silent or code == "call_not_ended"):
            found.append(Reason(code if group == "gaps" and code in fail_on else group, words))
    found = [reason for reason in found if reason.group in fail_on]
    for number, one in enumerate(card["recipients"], 1):
        found += [Reason(group, f"Recipient {number}: {words}") for group, words in fails(one, fail_on, True)]
    return found


def notes_of(card):
    """[(the word of --fail-on, code, its meaning)] of what there is to know of a whole card."""
    known = {"no-claims": [card["reason"]], "": ["strict_mode" * card["strict"]],
             "gaps": card["coverage_gaps"], "warnings": card["warnings"]}
    return [(group, code, plain_words("gap " * (group == "gaps") + code))
            for group, codes in known.items() for code in codes if code]


def plain_claim(claim):
    """A claim or a field of a card in plain words, with every key that is shown."""
    look = "{grade} {match}".format_map({"match": claim["kind"], **claim})
    row = {**CLAIM_SHOWN, **claim, **GRADE_WORDS[claim["grade"]], **LOOKS.get(look, {})}
    kind, words = plain_words(row["kind"]), row["words"] or row["text"]
    value = "" if row["value"] is None else str(row["value"])
    why = row["why"] or plain_words(row["rule"] or row["reason"] or row["grade"] or "", kind)
    return {**row, "kind": kind, "words": words, "value": value, "why": why, "turn": turn_words(row),
            "read_as": value if value.lower() not in words.lower() else "",
            "said_instead": [{**one, "turn": turn_words(one)} for one in row["said_instead"]]}


def turn_words(row):
    """A turn as people count, from 1, with its index."""
    return "" if row["turn_index"] is None else f"turn {row['turn_index'] + 1} [{row['turn_index']}]"


def plain_words(code, kind=""):
    """What a card's code means to a reviewer; one that is not in the table is shown with spaces."""
    code, _, path = code.partition(": ")                    # "summary_disagrees: outcome.price"
    words = PLAIN_WORDS.get(code, code.replace("_", " ")).replace("{kind}", kind)
    return f"{words} ({path})" if path else words


def headline_of(card, fail_on=FAIL_ON, inner=False):
    """The words of a card's verdict, with the tone to say it in and what to do: what the exit code says."""
    reasons = fails(card, fail_on, inner)
    outcomes = [row["words"] for row in map(plain_claim, card["claims"]) if row["tone"] == "open"]
    gate = "FAILS" if reasons else "PASSES"
    case = gate if card["verdict"] != FAITHFUL else "held" if reasons else "outcome" if outcomes \
        else "undecided" if card["counts"].get("undecided") else "FAILS"
    row = {**VERDICT_WORDS[card["verdict"]], **CASES[case], "gate": gate}
    return {**row, "todo": row["todo"].format(
        *outcomes, **card["counts"], whys=" ".join(why for _, why in reasons))}


def render_text(card, colour=False, width=100, fail_on=FAIL_ON, inner=False):
    """A card for a person at a terminal: whether it passes, the verdict, what to do; what is flagged, why,
    what was said instead; what to look at first; the rest in a line each. Turns count from 1, with their
    index."""
    import textwrap

    def paint(tone, text):
        return f"\x1b[{COLOURS[tone]}m{text}\x1b[0m" if colour else text

    card = {**CARD_SHOWN, **card}
    rows = sorted(map(plain_claim, card["claims"] + card["fields"]), key=lambda row: row["rank"])
    whys, lines, flagged = {row["why"] for row in rows}, [], [row for row in rows if row["rank"] < 2]
    shown = fill("text", Words({
        **card, **headline_of(card, fail_on, inner), "name": card["source"] or card["call_id"],
        "flagged": flagged, "rest": rows[len(flagged):],
        "first": [{**row, "turn": turn_words(row), "why": row["why"] if row["why"] not in whys else ""}
                  for row in card["check_first"]],
        "codes": [{"code": f"{group[:-1]} {code.partition(':')[0]}", "means": words}     # words end in its path
                  for group, code, words in notes_of(card) if group in ("gaps", "warnings")]}))
    for line in shown.split("\n"):
        tone, _, line = line.rpartition("\t")
        lead = pattern(" *([a-z ]+: )?").match(line).group()
        text = line[len(lead):].strip()
        if tone:
            lines.append(paint(tone, lead + cut_around(text, 0, 0, width - len(lead))))
        elif text:
            lines += textwrap.wrap(text, width, initial_indent=lead, subsequent_indent=" " * len(lead))
    lines += [paint("unchecked", TEXT_LEGEND)] * (not inner)
    for number, one in enumerate(card["recipients"], 1):
        inside = textwrap.indent(render_text(one, colour, width - 2, fail_on, True), "  ")
        lines += ["", f"  recipient {number}", inside.rstrip("\n")]
    return "\n".join(lines) + "\n"


def render_case(row, fail_on):
    """A card, or the row of a record that could not be read, as a JUnit test case."""
    told, source = [reason._asdict() for reason in fails(row, fail_on)], source_name(row["source"])
    name = row.get("call_id") or (f"line {row['line']}" if "line" in row else source)
    return fill("case", Fields(source=source, name=name, problem=told[:1], problems=told,
                               tag="error" if "error" in row else "failure"))


def render_suite(cases):
    """A JUnit report of test cases."""
    text = "".join(cases)
    return fill("suite", Fields(count=len(cases), failures=text.count("    <failure "),
                                errors=text.count("    <error "), cases=Html(text)))


def render_annotation(row, fail_on):
    """A row of the output that fails as an annotation of a GitHub workflow; nothing for one that passes.

    >>> render_annotation({"source": "a,b.jsonl", "line": 3, "error": "not JSON in line 3"}, ())
    '::error file=a%2Cb.jsonl,line=3,title=unreadable::not JSON in line 3\\n'
    """
    problems, file = fails(row, fail_on), row["source"]
    words = filter(None, [row.get("call_id"), *(words for _, words in problems)])
    place = {"file": "" if file == "-" else file, "line": row.get("line", ""),
             "title": ", ".join(dict.fromkeys(group for group, _ in problems))}
    said = ",".join(f"{key}={escape_annotation(value, ':,')}" for key, value in place.items() if value)
    return f"::error {said}::{escape_annotation(chr(10).join(words))}\n" if problems else ""


def escape_annotation(text, more=""):
    """A text for a workflow command, in which line ends and some signs have a meaning."""
    return visible(str(text)).translate({ord(sign): f"%{ord(sign):02X}" for sign in "%\r\n" + more})


# --------------------------------------------------------------------------------------- render: html

# White space inside a text would show. {rows:each} fills the template `each` with every row of a list.
TEMPLATES.update(templates_in("""\
--- start
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

--- end

<footer class="soft">{disclaimer}</footer>
</main>
</body>
</html>

--- index
<section id="index" aria-labelledby="index-title">
<h1 id="index-title">{title}</h1>
<fieldset class="filters"><legend class="soft">Show</legend>
<label><input type="radio" name="show" id="only-all" checked>All <b>{count}</b></label>
{filters:filter}</fieldset>
<p class="soft hint">Worst first. Printing prints the calls that are shown here, or the one that is open.</p>
<nav aria-label="Calls, the worst first">
<ol class="rows">
{pages:row}</ol>
</nav>
{unread:unread row in unread}</section>

--- filter
{count:shown filter}
--- shown filter
<label class="{group}"><input type="radio" name="show" id="only-{group}">
<span class="sign" aria-hidden="true">{sign}</span>{short} <b>{count}</b></label>

--- alone
<h1 class="unseen">{title}</h1>

--- unread
<section class="gone" aria-labelledby="gone-title">
<h2 id="gone-title">Could not be read: {count}</h2>
<ul class="rows">
{rows}</ul>
</section>

--- unread row
<li class="row unread"><span class="sign" aria-hidden="true">!</span><div><b>{source}</b> {error}</div></li>

--- row
<li class="row {tone} of-{group}" id="{key}.row"><span class="sign" aria-hidden="true">{sign}</span>
<div><a href="#{home}">{name}</a> <b>{short}</b> <span class="soft">{checkable:tally}{undecided:open}</span>
<ul>{brief:brief}{unflagged:brief first}{notes:note}{deciders:decider}{combined_verdict:combined}</ul></div>\
{inner:row in inner}</li>

--- tally
{supported} of {checkable} verified
--- open
 ({undecided} undecided)

--- inner
<ol>
{rows}</ol>
--- path
{path}: 
--- brief

<li class="{tone}">{path:path}<q>{before}<mark>{words}</mark>{after}</q> {why}{proofs:proof}</li>
--- brief first

<li class="cut"><b>Check first:</b> <q>{text}</q></li>
--- note

<li><b>Note:</b> {note}</li>
--- decider

<li><b>Decided by</b> <a href="#{home}">{name}</a></li>
--- combined

<li><b>With the second opinion: {combined_verdict}</b> {combined_reasoning}</li>
--- index link
<a href="#{key}.row">All calls</a> 
--- before
<a href="#{home}">‹ Previous</a> 
--- after
<a href="#{home}">Next ›</a> 
--- card

<article class="card {tone} of-{group}" id="{home}" aria-label="{name}">
<nav class="walk" aria-label="Calls">{many:index link}{before:before}{after:after}\
<span class="soft">{place}</span>
<a class="jump" href="#{key}.c">Claims</a> <a class="jump" href="#{key}.t">Turns</a></nav>
<header>
<span class="sign" aria-hidden="true">{sign}</span>
<div>
<h2>{headline}</h2>
<p class="todo">{todo}</p>
<ul>{new_notes:note}{deciders:decider}{combined_verdict:combined}</ul>
</div>
<dl>
<dt>Call</dt> <dd><bdi>{name}</bdi></dd>
<dt>Score</dt> <dd>{score:.2f} <span class="soft">{checkable:tally}{undecided:open}</span></dd>
</dl>
</header>
<div class="panes">
<div class="pane">
{first:first in all first}<section aria-label="Summary">
<h3>Summary</h3>
<p class="text">{text}</p>
</section>
{fields:field in all fields}<section aria-label="Claims" id="{key}.c">
<h3>Claims</h3>
<ol class="list">
{listed:claim}</ol>
<p class="soft">✓ was said; ≈ rests on a looser reading, told above. Each mark leads to its turn.</p>
</section>
{inner:person in all people}</div>
<section class="pane" aria-label="Conversation" tabindex="0" id="{key}.t">
<h3>Conversation</h3>
<ol class="talk">
{talk}</ol>
</section>
</div>
</article>

--- all first
<section class="first" aria-label="Check first">
<h3>Check first</h3>
<p class="soft">Where an error most likely stands, flagged or not.</p>
<ol>
{rows}</ol>
</section>

--- all fields
<section aria-label="Fields">
<h3>Fields</h3>
<table>
<thead>
<tr><th scope="col">Field</th> <th scope="col">Value</th> <th scope="col">In the call</th></tr>
</thead>
<tbody>
{rows}</tbody>
</table>
</section>

--- all people
<section aria-label="Recipients">
<h3>Recipients</h3>
<ol class="rows">
{rows}</ol>
</section>

--- first
<li><q>{text}</q> {why}{proofs:proof answered}{second_opinion:opinion}</li>

--- field
<tr class="{tone}" id="{key}.c{number}"><th scope="row">{path}</th> <td id="{key}.m{number}">{value}</td>
<td><b>{sign} {title}.</b> {why}{proofs:proof}{second_opinion:opinion}</td></tr>

--- person
<li class="row {tone}"><span class="sign" aria-hidden="true">{sign}</span>
<div><a href="#{home}">{name}</a> <b>{short}</b><ul>{notes:note}</ul></div></li>

--- claim
<li class="claim {size} {tone}" id="{key}.c{number}"><p><a href="#{key}.m{number}">{sign}&#160;{number}</a>
<strong>{words}</strong> <span class="soft">{kind} {read_as}</span></p>
<p>{why}</p>{proofs:proof}{second_opinion:opinion}</li>

--- proof

<p class="proof">{lead} {values:value}{turn:place}<q>{quote}</q></p>
--- proof answered

<p class="proof">{lead} {values:value}{turn:place}<q>{quote}</q>{reply:reply}</p>
--- value
{value}, 
--- reply
 {speaker}: <q>{excerpt}</q>
--- place
<a href="#{key}.t{number}">turn {number}</a>, {speaker}: 
--- opinion

<p class="proof">Second opinion: <b>{verdict}</b> <q>{evidence}</q></p>
--- run
{run:turn}
--- turn
<li class="{speaker}" id="{key}.t{number}"><b>{speaker}</b> {label}{number}
<p>{text}</p></li>

--- fold
<li class="fold"><details><summary>Turns {first:number} to {last:number}</summary>
<ol class="talk">
{run:turn}</ol></details></li>

--- number
{number}
--- spot
<a{look:look} id="{key}.m{number}" href="#{key}.{to}">{text}{loud:loud}{small:small}</a>
--- back
<a{look:look} href="#{key}.m{number}">{text}{loud:loud}{small:small}</a>
--- look
 class="{look}"
--- loud
<span class="tag" aria-hidden="true">{sign}\xa0{number}</span>\
<span class="unseen"> (claim {number}, {said})</span>
--- small
<sup>{number}</sup>
--- mark
<mark>{text}</mark>
"""))
PAGE_STYLE = """
:root { color-scheme: light dark;
  --page: #f3f5f7; --card: #fff; --text: #1b1f24; --soft: #545d68; --line: #d3d9e0; --link: #0a53be;
  --agent: #e4edfb; --bad: #b0201a; --bad-back: #fde9e7; --doubt: #824600; --doubt-back: #fff0d6;
  --fine: #17652f; --fine-back: #e2f3e7; --none: #545d68; --none-back: #eaedf0 }


@media screen and (prefers-color-scheme: dark) { :root {
  --page: #111417; --card: #1a1e22; --text: #e4e7ea; --soft: #a2abb5; --line: #3a424b; --link: #8ab4f8;
  --agent: #1d2c44; --bad: #ff9d94; --bad-back: #43201e; --doubt: #f2b866; --doubt-back: #3b2b12;
  --fine: #82d99b; --fine-back: #17331f; --none: #a2abb5; --none-back: #2a3037 } }
.contradicted, .unread { --tone: var(--bad); --back: var(--bad-back); --sign: "\\2717 " }
.unsupported, .open { --tone: var(--doubt); --back: var(--doubt-back); --sign: "?" }
.instead { --tone: var(--doubt); --back: var(--doubt-back); --sign: "\\2260" }
:where(.text, .talk p) > a, .supported { --tone: var(--fine); --back: var(--fine-back); --sign: "\\2713" }
.near { --sign: "\\2248" }
.unchecked { --tone: var(--none); --back: var(--none-back); --sign: "\\2013" }
* { box-sizing: border-box }
html { font: 100%/1.5 system-ui, sans-serif; background: var(--page); color: var(--text) }
body, h1, h2, h3, h4, p, ul, ol, dl, dd, fieldset { margin: 0; padding: 0; border: 0 }
body { overflow-wrap: anywhere }
ul, ol { list-style: none }
a { color: var(--link) }
:is(a, summary, .pane):focus-visible, label:focus-within { outline: .2rem solid var(--link);
  outline-offset: .1rem }
.soft { color: var(--soft); font-size: .875rem; font-weight: 400 }
.text, .talk p { white-space: pre-wrap }
.text, .talk p, strong, q { unicode-bidi: plaintext }
q:empty { display: none }
.tag, .unseen, sup { user-select: none }
.text:empty::before, .talk:empty::before, .list:empty::before { content: "(nothing)"; color: var(--soft) }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap }
.sign { flex: none; width: 1.5em; height: 1.5em; border-radius: 50%; background: var(--tone);
  color: var(--card); font-weight: 700; line-height: 1.5; text-align: center }
mark, :is(.text, .talk p, li > q) > a { color: inherit; text-decoration: none; background: var(--back);
  border-bottom: .125rem solid var(--tone) }
:is(.text, .talk p) > :is(.near, :not([class])) { border-width: 1px; background: none }
:is(.text, p, q) > .unchecked { border-bottom-style: dotted; background: none }
p > :is(.instead, .near) { border-bottom-style: dashed }
sup { margin-left: .1em; white-space: nowrap; color: var(--tone); font-size: .75em; line-height: 0 }
sup::before { content: var(--sign) }
.tag { margin-left: .2em; padding: .1em .4em; border-radius: .75em; background: var(--tone);
  color: var(--card); font-size: .8125em; font-weight: 700; white-space: nowrap }

#index { max-width: 60rem; margin: auto; padding: 1rem }
#index h1 { font-size: 1.5rem }
#index h2 { margin: 1.5rem 0 .5rem; font-size: 1.125rem }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0 .5rem }
.filters label { display: flex; align-items: center; gap: .4rem; padding: .35rem .7rem; border-radius: 2rem;
  border: 1px solid var(--line); background: var(--card); cursor: pointer }
.filters .sign { font-size: .875rem }
.filters .sign:empty { display: none }
.filters input { margin: 0; accent-color: var(--link) }
.filters label:has(:checked) { border-color: var(--link); box-shadow: inset 0 0 0 1px var(--link) }
.hint { margin-bottom: .5rem }
.rows { background: var(--card); border: 1px solid var(--line); border-radius: .5rem }
.row { display: flex; flex-wrap: wrap; gap: .25rem .75rem; padding: .5rem .75rem;
  border-top: 1px solid var(--line) }
.row:first-child { border-top: 0 }
.row > div { flex: 1 1 12rem }
.row > div > a { font-weight: 600 }
.row > div > b { color: var(--tone) }
.row > ol { flex-basis: 100%; padding-left: 1.5rem }
.row ul > li { margin-top: .25rem }
.row mark { font-weight: 700 }
.cut { max-height: 3em; overflow: hidden }
.row .proof ~ .proof { display: none }
.row:target { box-shadow: inset .25rem 0 var(--link) }

main > footer { max-width: 96rem; margin: auto; padding: .5rem 1rem 1rem }
.many footer { max-width: 60rem }
.one .walk > .soft { display: none }
.card { background: var(--page); max-width: 96rem; margin: auto; padding: 0 1rem 1rem }
.walk { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0 .75rem;
  align-items: baseline; background: var(--page); font-size: .875rem }
.walk a { padding: .5rem 0 }
.card > header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; padding: .75rem 1rem;
  background: var(--back); border-left: .5rem solid var(--tone); border-radius: .5rem }
header > .sign { font-size: 1.75rem }
header > div { flex: 1 1 12rem }
header h2 { font-size: 1.3125rem; line-height: 1.3; color: var(--tone) }
header b { color: var(--tone) }
.todo { font-weight: 600 }
header ul, dl { font-size: .9375rem }
dl { flex: 0 1 auto; max-width: 24rem; display: grid; grid-template-columns: auto 1fr; gap: .125rem .75rem;
  align-content: start }
dt { color: var(--soft) }
.panes > * { min-width: 0 }
.pane { position: relative; padding-top: 1rem; scroll-margin: 2rem }
.pane section { margin-bottom: 1.25rem; scroll-margin: 3rem }
.pane h3 { font-size: 1.0625rem }
.first ol { list-style: decimal; padding-left: 1.5rem }
.first li { margin-top: .5rem }
.first li > q { font-weight: 600 }
.proof { font-size: .9375rem; color: var(--soft) }
.proof q { color: var(--text) }
.claim, .talk > :not(.fold) { margin-top: .5rem; padding: .5rem .75rem; border: 1px solid var(--line);
  border-radius: .5rem; background: var(--card); scroll-margin: 3.5rem }
.claim { border-left: .25rem solid var(--tone) }
.claim > p:first-child > a { color: var(--tone); font-weight: 700 }
.claim.small { margin-top: .25rem; padding: 0; border: 0; background: none; font-size: .9375rem }
.small > p:not(.proof) { display: inline }
.small strong { font-weight: 400 }
.list { margin-bottom: .5rem }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: .9375rem }
thead th:first-child { width: 28% }
thead th:nth-child(2) { width: 18% }
:is(th, td) { padding: .375rem .5rem .375rem 0; border-top: 1px solid var(--line); text-align: left;
  vertical-align: top }
td b { color: var(--tone) }
.talk > :not(.fold) { width: fit-content; max-width: 88%; color: var(--soft); font-size: .875rem }
.talk > .agent { margin-left: auto; background: var(--agent) }
.talk > .other { margin-inline: auto; border-style: dashed }
.talk > li > b { color: var(--text); font-size: 1rem; text-transform: capitalize }
.talk p { color: var(--text); font-size: 1rem }
.talk > li:has(p > .contradicted) { border-color: var(--bad) }
.talk > li:has(p > .contradicted)::before { display: block; color: var(--bad); font-weight: 700;
  content: "\\2717  contradicts the summary" }
.fold > details > summary { padding: .75rem; color: var(--link); text-align: center; cursor: pointer }
.claim:target, tr:target, .talk > li:target, .text > a:target {
  outline: .2rem solid var(--link); outline-offset: .1rem }

.many:has(.card:target, .card :target) :is(#index, .card:not(:target, :has(:target))) { display: none }
.many:has(#only-flagged:checked) :is(nav > .rows > :not(.of-contradicted, .of-unsupported), .gone,
  .card:not(.of-contradicted, .of-unsupported, :target, :has(:target))),
.many:has(#only-contradicted:checked) :is(nav > .rows > :not(.of-contradicted), .gone,
  .card:not(.of-contradicted, :target, :has(:target))),
.many:has(#only-unsupported:checked) :is(nav > .rows > :not(.of-unsupported), .gone,
  .card:not(.of-unsupported, :target, :has(:target))),
.many:has(#only-unchecked:checked) :is(nav > .rows > :not(.of-unchecked), .gone,
  .card:not(.of-unchecked, :target, :has(:target))),
.many:has(#only-supported:checked) :is(nav > .rows > :not(.of-supported), .gone,
  .card:not(.of-supported, :target, :has(:target))),
.many:has(#only-unread:checked) :is(nav > .rows, .card:not(:target, :has(:target))) { display: none }


@media screen {
  .many .card:not(:target, :has(:target)) { display: none }
}


@media screen and (max-width: 30rem) {
  .walk > .soft { display: none }
  .cut { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2 }
}


@supports not selector(:has(a)) {
  .filters input { display: none }
}


@media screen and (min-width: 60rem) and (min-height: 36rem) {
  .card { display: flex; flex-direction: column; height: 100vh; padding-bottom: 0 }
  .one .card { height: calc(100vh - 4.5rem); padding-top: 1rem }
  .many:has(.card:target, .card :target) footer { display: none }
  .jump, .one .walk { display: none }
  .card > header { max-height: 45vh; overflow: auto }
  .panes { flex: 1; min-height: 0; display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem }
  .pane { overflow: auto; padding: .75rem .25rem }
}


@media (prefers-reduced-motion: no-preference) {
  html, .pane { scroll-behavior: smooth }
}


@media print {
  html { font-size: 80%; background: #fff }
  .sign, .tag { border: .1em solid; background: none; color: var(--tone) }
  .many .card { break-before: page }
  .many:has(.card:target, .card :target) .card { break-before: auto }
  .claim, .row, .talk > li { break-inside: avoid }
  .walk { position: static }
  .walk a, .hint { display: none }
}
"""


FOLDED, AROUND = 200, 3     # a longer conversation is folded, but for so many turns around evidence
EXCERPT = 160                # characters of a turn that are shown as evidence
# what is left, behind a place in a word, of the word, where scripts part words, and of Markdown's stars
REST = r"(?:(?<=\w)(?:['’]?[^\W\u0e00-\U0010ffff])*)?\**"
LETTERS = str.maketrans("0123456789", "ghijklmnop")         # a page holds no number that nobody said


def render_html(entries):
    """Yield the page for one call or many, in pieces.

    An entry is (card, masked summary, masked turns) and, for several recipients, the list of their entries.
    A row {"source", "error"} may stand in a card's place.
    """
    from base64 import b64encode
    from hashlib import sha256
    pages, unread = list_pages(entries), [unread_row(entry[0]) for entry in entries if "error" in entry[0]]
    every = [one for page in pages for one in (page, *page["inner"])]
    many = len(every) != 1 or bool(unread)
    groups = [page["group"] for page in pages] + ["unread"] * len(unread)
    groups += ["flagged" for group in groups if group in ("contradicted", "unsupported")]
    whole = Fields(size="many" if many else "one", style=Html(PAGE_STYLE), count=len(pages), pages=pages,
                   digest=b64encode(sha256(PAGE_STYLE.encode()).digest()).decode(), unread=unread,
                   disclaimer=DISCLAIMER, filters=[{**words, "count": groups.count(words["group"])}
                                                   for words in (LOOKS["flagged"], *VERDICT_WORDS.values())],
                   title=f"Calls audited: {len(pages)}" if many else "{short}: {name}".format_map(every[0]))
    yield fill("start", whole) + fill("index" if many else "alone", whole)
    for n, page in enumerate(every):
        yield fill("card", Fields(page, many=many, before=every[n - 1:n], after=every[n + 1:n + 2]))
    yield fill("end", whole)


def unread_row(row):
    """The row of a record that could not be read, without the path that it was read from."""
    name = os.path.basename(row["source"])
    return {"source": name, "error": row["error"].replace(row["source"], name)}


def list_pages(entries):
    """A page for each entry that holds a card, the worst first; anchors are given in the input's order."""
    pages, taken = [], {}
    for entry in entries:
        card = entry[0]
        if "verdict" in card:
            source = os.path.basename(card.get("source", ""))                          # no path of here
            name = f"{card.get('call_id') or ''} · {source}".strip(" ·") or "a call without id"
            pages.append(make_page(entry, name, *name_anchors(card, entry[1], taken)))
    pages.sort(key=lambda page: (page["rank"], page["score"], not page["notes"]))
    for number, page in enumerate(pages, 1):
        page["place"] = f"Call {number} of {len(pages)}"
    return pages


def name_anchors(card, summary, taken):
    """(anchor of a call, start of the anchors inside), the same in every run: of its id, or of its summary.

    >>> name_anchors({"call_id": "a-b"}, "", {}), name_anchors({"call_id": "a/b"}, "", {})
    (('call-a-b', 'jlciiipe'), ('call-a-b.gnfkkghc', 'gnfkkghc'))
    """
    said = str(card.get("call_id") or "")
    key = f"{crc32((said or summary).encode(errors='replace')):08x}".translate(LETTERS)
    count = taken[key] = taken.get(key, 0) + 1
    plain, more = pattern("[^A-Za-z0-9_-]+").sub("-", said)[:60], f".{count}" * (count > 1)
    return f"call-{plain}" + f".{key}" * (plain != said or not said) + more, key + more


def make_page(entry, name, home, key, task=None):
    """What the templates fill a call in with: its card, and more.

    home is its anchor, key begins the anchors inside; group is the verdict's tone, of a recipient the task's;
    inner are its recipients' pages.
    """
    card, summary, turns, people = (*entry, ())[:4]
    turns = {turn.index: {**turn._asdict(), "number": turn.index + 1, "label": show_label(turn), "spots": [],
                          "excerpt": cut_around(turn.text, 0, 0, EXCERPT)} for turn in turns}
    page = {**CARD_SHOWN, **card, **card["counts"], **headline_of(card, inner=task), "summary": summary,
            "name": name, "place": name, "home": home, "key": key, "turns": turns}
    page["group"] = task or page["group"]
    page["inner"] = [
        make_page(one, f"Recipient {number} of {len(people)}: {one[0].get('call_id') or 'no id'}",
                  f"{home}.r{number}", f"{key}.r{number}", page["group"])
        for number, one in enumerate(people, 1)]
    told = [describe_claim(page, *one) for one in enumerate(page["claims"] + page["fields"], 1)]
    count = len(page["claims"])
    claims = told[:count]
    spots = [(*row["span"], row) for row in claims]
    first = [describe_stretch(page, stretch, spots) for stretch in page["check_first"]]
    notes = [{"note": words} for *_, words in notes_of(page)]
    decided = page["group"] in [row["tone"] for row in told]        # by its own summary
    listed = (row for row in claims if row["loud"] or row["rule"] or row["reason"])
    return {**page, "first": first, "text": mark_text(summary, spots, "spot"),
            "listed": sorted(listed, key=lambda row: row["rank"]),
            "fields": told[count:], "notes": notes, "talk": Html("".join(show_talk(page))),
            "new_notes": [note for note in notes if note["note"] not in page["todo"]],
            "deciders": [one for one in page["inner"] if one["verdict"] == page["verdict"] and not decided],
            "unflagged": [row for row in first if not row["flagged"]][:1],
            "brief": [brief_claim(page, row) for row in told if row["rank"] < 2]}


def show_label(turn):
    """A speaker's own label, where it says more than the speaker's role."""
    label = mask_pii(turn.label or turn.speaker)
    return "" if turn.speaker in label.lower() else f"({label}) "


def describe_claim(page, number, claim):
    """A claim as the templates want it: in plain words, with what the call says; its words are marked in the
    turn. to ends the anchor that its mark in the summary leads to."""
    row = {**plain_claim(claim), "number": number, "key": page["key"]}
    index = row["turn_index"] = row.get("contradicted_by_turn", row["turn_index"])
    row["to"] = f"c{number}" if row["loud"] else f"t{index + 1}" if index in page["turns"] else "c"
    row["instead"] = [{**row, **one, **LOOKS["instead"], "words": one["value"]}
                      for one in row["said_instead"]]
    row["proofs"] = show_proofs(page, [*row["instead"], row]) if row["loud"] or row["path"] else []
    for one in row["instead"] or [row]:
        turn = page["turns"].get(one["turn_index"])
        if turn:
            turn["spots"].append((*find_evidence(turn["text"], one), one))
    return row


def describe_stretch(page, stretch, spots):
    """A stretch to check first as the templates want it: its flagged and undecided claims marked, and of the
    flagged ones what the call says, or else the turn that is nearest."""
    (start, end), why = stretch["span"], stretch["why"]
    within = [spot for spot in spots if start <= spot[0] and spot[1] <= end and spot[2]["loud"]]
    flagged = [row for *_, row in within if row["rank"] < 2]
    more = [row["why"] for row in flagged if row["why"][1:-1] not in why]
    near = {**CLAIM_SHOWN, **stretch, "words": stretch["text"], **LOOKS["see"]}
    return {**stretch, "why": " ".join([why, *more]),
            "text": mark_text(page["summary"], within, "back", start, end),
            "flagged": flagged,
            "proofs": show_proofs(page, [one for row in flagged for one in (*row["instead"], row)])
            or show_proofs(page, [near])}


def brief_claim(page, row):
    """A flagged claim as the index shows it: with a few words around it; a field's value behind its path."""
    around = "" if row["path"] else page["summary"]
    left, right = around[:row["span"][0]], around[row["span"][1]:]
    before, after = " ".join(left.split(" ")[-6:]), " ".join(right.split(" ")[:6])
    return {**row, "words": row["value"] if row["path"] else row["words"],
            "before": "…" * (before != left) + before, "after": after + "…" * (after != right)}


def show_proofs(page, rows):
    """The turns or the record's words that claims lean on, or that say something instead: each quote once, in
    as much of its turn as is shown, what these rows say marked in it; and the turn that follows."""
    places, proofs = {}, []
    for row in rows:
        places.setdefault((row["turn_index"], row["quote"]), []).append(row)
    for (index, quote), rows in places.items():
        turn = page["turns"].get(index)
        quote = cut_around(turn["text"], *find_evidence(turn["text"], rows[0]), EXCERPT) if turn else quote
        if quote:
            spots = [(*found, row) for row in rows for found in find_words(quote, row)[:1]]
            proofs.append({
                "lead": rows[0]["lead"] if turn else "In the record:", "turn": turn,
                "reply": turn and page["turns"].get(turn["number"]),
                "values": [row for row in rows if row["tone"] == "instead"],
                "quote": mark_text(quote, spots, "mark")})
    return proofs


def show_talk(page):
    """Yield the conversation, marked; a long one is folded around the turns that a claim or a stretch to
    check leads to."""
    from itertools import groupby
    turns, wanted = list(page["turns"].values()), {row["turn_index"] for row in page["check_first"]}
    for n, turn in enumerate(turns):
        near = turns[max(n - AROUND, 0):n + AROUND + 1]
        turn["open"] = len(turns) <= FOLDED or any(one["spots"] or one["index"] in wanted for one in near)
        turn["text"] = mark_text(turn["text"], turn["spots"], "back")
    for shown, run in groupby(turns, lambda turn: turn["open"]):
        run = list(run)
        yield fill("run" if shown else "fold", Fields(page, run=run, first=run[:1], last=run[-1:]))


def find_evidence(text, row):
    """(start, end) of the words in a turn that bear on a claim; of all that is quoted if unknown."""
    quote = (row["quote"] or text).strip("… ")
    start = max(text.find(quote), 0)
    first, last = [*find_words(quote, row), (0, len(quote))][0]
    return start + first, start + last


def find_words(text, row):
    """[(start, end)] of the words in a text that say a claim's value, or that a claim of words has too.

    >>> find_words("Yes, two thirty suits.", {"value": "14:30", "words": "2:30 p.m."})
    [(5, 15)]
    """
    piece, told = Text(text), Text(row["words"])
    meant = [one.keys for one in scan(told)]
    values = {row["value"]}.union(*meant)
    spans = [one[-2:] for one in scan(piece) if not values.isdisjoint(one.keys)]
    if not meant or row.get("grade") == SUPPORTED:
        wanted = content(told, 0, told.size)
        spans += [(n, n + 1) for word, n in content(piece, 0, piece.size).items() if word in wanted]
    return [(piece.starts[first], piece.ends[last - 1]) for first, last in spans]


def mark_text(text, spots, frame, done=0, end=None):
    """The text, or a stretch of it, with its spots (start, end, claim) marked; of words that two share, the
    first has them, the other its number behind. A mark takes along the rest of a word, and the stars of
    Markdown behind it."""
    pieces = []
    for first, last, row in sorted(spots, key=lambda spot: (spot[0], spot[2]["rank"])):
        last = pattern(REST).match(text, last).end() if last > done else done
        pieces += [escape_text(text[done:first]), fill(frame, Fields(row, text=text[max(first, done):last]))]
        done = last
    return Html("".join([*pieces, escape_text(text[done:end])]))


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
# The words of a card that explain themselves, and what to do about the others, whose meaning stands in
# PLAIN_WORDS and VERDICT_WORDS.

MEANINGS = {
    "grade": """
SUPPORTED: The call says it, and it still stands at the end. That is no proof that it is true.
UNSUPPORTED: A flag: the call does not say it, or it did not stand; `reason` and `why` tell. Hold the action.
CONTRADICTED: A flag: the other side's own words, or a recorded voice, say otherwise. Read the named turn.
UNDECIDED: No flag and no pass: fixed rules find it neither borne out nor ruled out. Read the call first.
null: Not searched for: an opinion, a masked number, or one that cannot be read. Judge it yourself.""",
    "kind of a claim": """
numeric: A number, an amount, a count, or a code of digits.
date_time: A date, a weekday or a clock time.
outcome: What came of the call, such as booked, declined or left open.
action: What somebody did or is to do, such as call back or email.
name: A person, a firm, a place, or a code of letters and digits.
text: A field's own words, which state no value, name or deed.
non_checkable_spelled: A number in words that is no quantity here. It is not compared.
non_checkable_masked: A number that is masked, such as a phone number. It is not compared.
non_checkable_opinion: A sentence with nothing in it to compare.""",
    "key of a card": """
source: The file that the card is of, where there are several.
call_id: The record's own id of the call.
verdict: The gravest that was found: contradicted, unsupported, faithful, or nothing to check.
score: Supported claims by checkable ones; for statistics, as one invented fee lowers it little.
label: `pass` for a score from 0.5 up, else `fail`; the verdict is the gate.
reasoning: The counts in a line, and what was not verified.
strict: Whether --strict was asked for: then inexact matches and undecided claims count as unsupported.
claims: What the summary states, each with its grade and the turn that bears on it.
fields: What a platform's model filled in, graded as claims are; with --fields.
check_first: Up to three stretches of the summary that a person should look at first, the riskiest first.
counts: How many claims have which grade; the undecided ones are not among the checkable.
checkable: Claims that are supported, unsupported or contradicted.
coverage_gaps: What the call came to and the summary does not tell.
warnings: What makes the audit less than it could be; most of them fail the gate.
recipients: A card for each call of the task; the outer verdict is the worst of them.
version: That of the program.
schema: That of the card's form, which `schema` prints.
disclaimer: What a card can say and what it cannot.
combined_verdict: The verdict when the second opinion is counted in.
combined_reasoning: The counts when the second opinion is counted in.
error: Why the input could not be read; it stands in a card's place.
line: The input's line, from 1, that could not be read.""",
    "key of a claim": """
text: Its sentence, or the stretch to check.
kind: What sort of thing is stated.
value: What it was read as, the same for all wordings.
grade: What became of it.
turn_index: The turn that the grade rests on, from 0; people see turns from 1.
span: Where it stands in the masked summary.
match: `literal` where there is one way to read it, `inexact` where a choice or a rule was needed.
rule: What an inexact match needed.
speaker: Who says the quote.
quote: The turn's own words, masked.
contradicted_by_turn: The turn that says otherwise, from 0.
reason: Why it is flagged, in a word; of a card, why there was nothing to check.
id: The same in every run, for --baseline.
words: What it was read from, as the summary has it.
why: Why it is flagged or undecided, in a sentence.
said_instead: Up to three other values that the call says.
accepted: A person accepted it in an earlier card, so it fails no gate.
path: Where a field stands in the record.
second_opinion: What a model said of it, and from which words.""",
}
REMEDIES = {
    "verdict": """
FAITHFUL: Go on, but for warnings, gaps, undecided claims and what check_first shows; keep the card.
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
never_mentioned: Strike it, or find out where the agent had it from.
refused: Do not act on it.
failed: Do not count on it; have it tried again.
wrong_party: Correct the number before calling again.
not_by_agent: Do not count on it; have it done.
masked: Compare the number where it is kept unmasked.
record_field: Trust the record's own field, or find out why it differs.
quote_not_said: Strike the quote; nobody said it.
was_done: Set the field to what was done.
summary_denies: Look up which of the two was said, and correct the other.
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
speakers_unknown: Name the called party's label with --callee.
summary_disagrees: Look up which of the two was said, and correct the other.
fields_cut: Look at the fields that the card does not list.""",
    "gap": """
outcome: Read how the call ended before acting on the summary.
opt-out: Take the number off the list.""",
}


def explanations():
    """(kind of word, word, what it means, what to do) of every word of a card that is known."""
    for kind, rows in MEANINGS.items():
        yield from ((kind, word, means, "") for word, means in rows_of(rows).items())
    for kind, rows in REMEDIES.items():
        for word, todo in rows_of(rows).items():
            means = VERDICT_WORDS[word]["headline"] if kind == "verdict" else \
                PLAIN_WORDS["gap " * (kind == "gap") + word].replace("{kind}", "value")
            yield kind, word, means[0].upper() + means[1:].rstrip(".") + ".", todo


def run_explain(options):
    """Say what words of a card mean; exit code 2 for one that is not known."""
    rows = list(explanations())
    asked = (options.code or "").strip().lower().replace(" ", "_")
    found = [row for row in rows if asked in ("", row[1].lower())]
    if not found:
        import difflib
        near = difflib.get_close_matches(asked, {row[1].lower() for row in rows})
        more = f"near it: {', '.join(near)}" if near else "`explain` alone lists them"
        raise UsageError(f"no word of a card: {options.code}; {more}")
    for kind, word, means, todo in found:
        sys.stdout.write(f"{word} ({kind})\n  {means}\n" + f"  {todo}\n" * bool(todo))
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
      },
      "required": ["text", "kind", "value", "grade", "turn_index", "span"]
    },
    "counts": {
      "type": "object",
      "properties": {
        "checkable": {"$ref": "#/$defs/count"},
        "supported": {"$ref": "#/$defs/count"},
        "unsupported": {"$ref": "#/$defs/count"},
        "contradicted": {"$ref": "#/$defs/count"},
        "undecided": {"$ref": "#/$defs/count"}
      },
      "required": ["checkable", "supported", "unsupported", "contradicted"]
    },
    "stretch": {
      "type": "object",
      "properties": {
        "text": {"type": "string"},
        "span": {"$ref": "#/$defs/span"},
        "why": {"type": "string"},
        "turn_index": {"type": ["integer", "null"]}
      },
      "required": ["text", "span", "why"]
    },
    "count": {"type": "integer", "minimum": 0},
    "span": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2,
             "description": "start and end in the masked summary"}
  },
  "required": ["call_id", "verdict", "score", "label", "reasoning", "strict", "claims", "counts",
   "coverage_gaps", "warnings", "disclaimer"]
}"""


def run_schema(options):
    """Print the card's JSON Schema."""
    sys.stdout.write(json.dumps(json.loads(CARD_SCHEMA), indent=2) + "\n")
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
                                         outcome_not_read, speakers_unknown, fields_cut
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
Says what a word of a card means and what to do: a verdict, grade, kind, key, reason, rule, warning or gap.
Without a word, all of them.

example:
  %(prog)s superseded"""
SCHEMA_HELP = """\
Prints the JSON Schema (draft 2020-12) of a card.

example:
  %(prog)s > card.schema.json"""


class UsageError(Exception):
    """A combination of options that makes no sense; main prints it and ends with 2."""


# what argparse is told of each option; a type is the name of a function
AUDIT_OPTIONS = """
--jsonl {"action": "store_true",
 "help": "every line of the input is a record (also chosen by .jsonl and .ndjson)"}
--format {"choices": ["json", "text", "html", "junit", "github"], "default": "json",
 "help": "default: json; junit is a test report, github annotates a workflow; text and html take single \
records, no lines and lists"}
--fields {"action": "store_const", "const": [], "help": "audit what the platform's model filled in, too"}
--fields-key {"metavar": "KEY", "dest": "fields", "action": "append",
 "help": "the same, and a further name under which such fields stand; may be given again"}
--strict {"action": "store_true", "help": "count what is undecided or an inexact match as unsupported"}
--exit-code {"action": "store_true", "help": "end with 1 if any card fails"}
--fail-on {"metavar": "LIST", "type": "fail_on_list",
 "default": "unsupported,contradicted,no-claims,warnings,opt-out",
 "help": "what a card fails by, separated by commas; default: %(default)s"}
--baseline {"metavar": "CARDS",
 "help": "cards of an earlier run: a claim with \\"accepted\\": true there does not fail again"}
--summary-key {"metavar": "KEY", "help": "the key that the summary stands under, if it is an unusual one"}
--transcript-key {"metavar": "KEY", "help": "the same for the transcript"}
--callee {"metavar": "LABEL", "help": "the label of the called party, if no rule tells which one it is"}
--outcome-token {"metavar": "WORD[=PHRASE,…]", "action": "append", "default": [], "type": "outcome_token",
 "help": "a word that summaries end on, and what people say when it is so; may be given again"}
--list-outcomes {"action": "store_true", "help": "print the outcome words that can be checked, and end"}
--call-date {"metavar": "YYYY-MM-DD", "type": "call_date", "help": "for records without a start time"}
--jobs {"metavar": "N", "type": "job_count", "default": 1,
 "help": "processes, for lines and for many files; the output is the same"}
--output {"metavar": "FILE", "help": "write there, whole or not at all, instead of to standard output"}"""
PATH_OPTION = """
paths {"metavar": "PATH", "nargs": "*",
 "help": "call records: .json, .jsonl, .ndjson, .gz; - or nothing is standard input"}"""
RESULT_OPTION = """
--call-result {"metavar": "FILE", "dest": "paths", "action": "append", "required": true,
 "help": "a call record; - is standard input"}"""
CRAFT_OPTIONS = """
--task {"required": true, "metavar": "TEXT", "help": "what the call is for"}
--facts {"required": true, "metavar": "TEXT", "help": "what the agent may say, separated by ;"}
--outcome-token {"metavar": "WORD", "help": "the word that the summary is to state once"}
--json {"action": "store_true", "help": "print plan_call arguments: {\\"goal\\": …}"}"""
EXPLAIN_OPTION = """
code {"metavar": "WORD", "nargs": "?", "help": "a word as the card has it"}"""


def build_parser(asked):
    """The options of the command that is asked for; of all commands, if there is none by that name."""
    parser = argparse.ArgumentParser(description=ABOUT, epilog="Each command has a --help of its own.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    rows = (("audit", "audit call records", AUDIT_HELP, run_audit, PATH_OPTION + AUDIT_OPTIONS),
            ("analyze", "the same as audit, for workflows of the earlier tool",
             "Another spelling of audit: analyze --call-result FILE is audit FILE.", run_audit,
             RESULT_OPTION + AUDIT_OPTIONS),
            ("craft", "write a goal for the next call", CRAFT_HELP, run_craft, CRAFT_OPTIONS),
            ("explain", "say what a word of a card means", EXPLAIN_HELP, run_explain, EXPLAIN_OPTION),
            ("schema", "print the card's JSON Schema", SCHEMA_HELP, run_schema, ""))
    for name, said, about, run, options in [row for row in rows if row[0] == asked] or rows:
        made = commands.add_parser(name, help=said, description=about,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
        made.set_defaults(run=run)
        for line in filter(None, options.replace("\n ", " ").split("\n")):
            option, _, told = line.partition(" ")
            told = json.loads(told)
            if "type" in told:
                told["type"] = globals()[told["type"]]
            made.add_argument(option, **told)
    return parser


def call_date(text):
    """The date of --call-date; argparse reports the ValueError."""
    import datetime
    if not pattern("[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch(text):       # newer Pythons take more
        raise ValueError(text)
    return datetime.date.fromisoformat(text)


def outcome_token(text):
    """(word, phrases) of --outcome-token."""
    word, _, said = text.partition("=")
    phrases = [phrase.strip().lower() for phrase in said.split(",") if phrase.strip()]
    word = word.upper()
    if not pattern(r"[A-Z][A-Z0-9_-]*").fullmatch(word) or not phrases and word not in OUTCOME_WORDS:
        raise ValueError(text)
    return word, phrases


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


outcome_token.__name__ = "outcome word with its phrases (WORD=phrase,phrase)"
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
    token = (options.outcome_token or "").strip()
    if token and token.upper() not in OUTCOME_WORDS:
        tell(f"warning: audit knows no {token}: give it --outcome-token '{token}=what people say when it is "
             "so', or take one of audit --list-outcomes")
    sys.stdout.write(json.dumps({"goal": goal}, indent=2) + "\n" if options.json else goal)
    return EXIT_DONE


# line: its number in the source or None; where: what an error calls it; record: the bytes of a line, a parsed
# record, or a RecordError
Item = namedtuple("Item", "source line where record")
# what is printed, its verdict (None: an error), whether it fails, what a page needs or an error that ends all
Result = namedtuple("Result", "text verdict failing entry")


def run_audit(options):
    """Audit every input; the exit code."""
    if options.list_outcomes:
        for word, (_, said) in sorted(OUTCOME_WORDS.items()):
            sys.stdout.write(": ".join([word, ", ".join(said)][:1 + bool(said)]) + "\n")
        return EXIT_DONE
    complete_options(options)
    tally = Tally(options.paths)
    try:
        with Output(options.output) as stream:
            options.colour = stream.isatty() and "NO_COLOR" not in os.environ
            options.accepted = accepted_ids(options.baseline)
            results = tally.watch(results_of(options, tally), not stream.isatty())
            for piece in pieces_of(results, options.format, tally):
                try:
                    stream.write(piece)
                except BrokenPipeError:                 # the reader has seen enough, `| head`; a gate has not
                    drop_output()
                    if tally.failing or not options.exit_code:
                        break
            stream.flush()                              # a closed pipe must show here
    except BrokenPipeError:                             # all was read
        drop_output()
    return tally.exit_code(options.exit_code)


def pieces_of(results, form, tally):
    """What is printed of the Results: a piece for each, or one page or report of all."""
    if form == "html":
        yield from map(ascii_markup, render_html([result.entry for result in results]))
    elif form == "junit":
        yield ascii_markup(render_suite([result.text for result in results]))
    else:
        for result in results:
            yield result.text
        if form == "github":
            yield f"::notice title=Call summaries::{tally}\n"


def complete_options(options):
    """Add to the options of audit what follows from them; raise `UsageError` where they do not go together.

    lines: some record is a line; several: a bad input does not end the run; many: each card has its source;
    known: the outcome words that can be checked.
    """
    options.paths = options.paths or ["-"]
    options.lines = options.jsonl or any(map(has_lines, options.paths))
    options.several = len(options.paths) > 1 or options.format in ("junit", "github")
    options.many = options.several or options.lines
    options.known = {**OUTCOME_WORDS, **{word: (OUTCOME_WORDS.get(word, ("",))[0], phrases)
                                         for word, phrases in options.outcome_token}}
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


def items_of(options, tally):
    """The Item of every record, in input order; read when asked for."""
    for path in options.paths:
        where = source_name(path)
        try:
            if options.jsonl or has_lines(path):
                for number, line in enumerate(read_lines(path, where, tally.begin), 1):
                    if line.strip():
                        yield Item(path, number, f"line {number}", line)
                continue
            value = read_value(read_bytes(path, where, tally.begin), where, options)
            records = records_in(value)
            if records is None:
                yield Item(path, None, where, value)
            elif options.format in ("text", "html"):
                raise RecordError(f"a list of records, which --format {options.format} does not take,", where)
            else:
                for number, record in enumerate(records, 1):
                    tally.share = number / len(records)
                    yield Item(path, number, f"record {number}", record)
        except RecordError as problem:
            yield Item(path, None, where, problem)


def read_value(content, where, options):
    """The JSON value in some bytes, the user's own keys renamed; an error where a record lacks one."""
    text = decode_record(content, where)
    for key in options.summary_key, options.transcript_key:
        if key and f'"{key}"' not in text:
            raise RecordError(f"no key {key!r}", where)
    return parse_json(text, where, renaming(options.summary_key, options.transcript_key))


def audit_item(item, options):
    """The Result of an Item; where there are many, a bad one is an error row in its place."""
    source, line, where, record = item
    try:
        if isinstance(record, RecordError):
            raise record
        if isinstance(record, bytes):
            record = read_value(record, where, options)
        call = read_call(record, where, options.call_date, options.callee)
        audit = audit_task(with_fields(call, record, options.fields), options.strict, options.known)
    except RecordError as problem:
        if line is None and not options.several:
            return Result("", None, True, problem)
        row = {"source": source, **({"line": line} if line else {}), "error": error_text(problem)}
        return Result(render_row(row, line, options), None, True, (row, "", []))
    card = card_of(audit)
    accept_claims(card, options.accepted)
    if options.many or line:
        card = {"source": source, **card}
    return Result(render_row(card, line, options), card["verdict"], bool(fails(card, options.fail_on)),
                  options.format == "html" and page_entry(card, audit))


def render_row(row, line, options):
    """What is printed of a card or an error row at once; a page and a report are made of all of them."""
    if options.format == "json":
        return json.dumps(row, indent=None if "source" in row else 2) + "\n"
    if options.format == "text":
        return f"error: {visible(row['error'])}\n\n" if "error" in row else \
            render_text(row, options.colour, fail_on=options.fail_on) + "\n" * options.many
    if options.format == "html":
        return ""
    render = render_case if options.format == "junit" else render_annotation
    return render({**row, "line": line} if line else row, options.fail_on)


def page_entry(card, audit):
    """(card, masked summary, masked turns, and the same for each recipient) of an Audit."""
    return (card, audit.summary, audit.dialogue.turns,
            [page_entry(one, inner) for one, inner in zip(card.get("recipients", ()), audit.recipients)])


def results_of(options, tally):
    """The Result of every record, in input order;
    with --jobs in several processes, the order and the bytes being the same."""
    items = items_of(options, tally)
    if options.jobs == 1:
        yield from (audit_item(item, options) for item in items)
        return
    from collections import deque
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    jobs = min(options.jobs, 61)                        # more than Windows takes
    pool, waiting = ProcessPoolExecutor(jobs, None, leave_signals_to_parent, (os.getpid(),)), deque()
    try:
        for block in iter(lambda: list(islice(items, 64 if options.lines else 8)), []):
            waiting.append(submit_unbroken(pool, block, options))
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


def submit_unbroken(pool, block, options):
    """The future of some Items; no signal is heard meanwhile, as what one raises in a fork is lost."""
    hold = getattr(signal, "pthread_sigmask", None)     # where there is none, nothing is forked
    before = hold and hold(signal.SIG_BLOCK, ENDING_SIGNALS)
    try:
        return pool.submit(audit_block, block, options)
    finally:
        if hold:
            hold(signal.SIG_SETMASK, before)


def audit_block(items, options):
    """The Results of some Items, in a worker process."""
    return [audit_item(item, options) for item in items]


def leave_signals_to_parent(parent):
    """In a worker process: the parent answers signals and ends the pool; without a parent they end it.

    A worker that dies at work makes the pools of older Pythons wait for it for ever.
    """
    def end(number, frame):
        if os.getppid() != parent:
            os._exit(128 + number)

    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else end)
    if hasattr(signal, "pthread_sigmask"):              # held back while it was forked
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING_SIGNALS)


class Tally:
    """Counts of what was printed: for the exit code, and for the progress that a terminal shows."""

    def __init__(self, paths):
        self.paths, self.verdicts, self.failing = paths, {}, 0
        self.begun, self.file, self.share = 0, None, 1

    def begin(self, file):
        """Note that the next file was opened."""
        self.begun, self.file, self.share = self.begun + 1, file, 1

    def done(self):
        """The share of the input that was read, up to 1, each path alike; 0 if a pipe is read."""
        try:
            part = self.share if self.file.closed else self.file.tell() / os.fstat(self.file.fileno()).st_size
            return min(1, (self.begun - 1 + part) / len(self.paths))
        except (OSError, ValueError, AttributeError, ZeroDivisionError):    # no file of the system's
            return 0

    def watch(self, results, quiet_output):
        """Pass results on, counted; beside a quiet output tell a terminal at most twice a second how fast
        it is, how much of the input was read, and of which verdict, and at the end leave a line."""
        import time
        start = shown = time.monotonic()
        live = quiet_output and sys.stderr.isatty()
        for count, result in enumerate(results, 1):
            if isinstance(result.entry, RecordError):
                raise result.entry
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
        if not self.verdicts:
            raise RecordError("no record", ", ".join(map(source_name, self.paths)))
        if live and count > 1:
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
    """Standard output, or a file that is written whole or not at all: beside it first, then in its place.

    A file that was there keeps its mode; a device or a pipe is no file to replace.
    """

    def __init__(self, path):
        self.given, self.path = path, path and os.path.realpath(path)
        self.beside, self.stream = None, sys.stdout

    def __enter__(self):
        if self.path:
            there = os.path.isfile(self.path)
            if there or not os.path.exists(self.path):
                self.beside = os.path.join(os.path.dirname(self.path), f".audit-{os.urandom(6).hex()}")
            try:
                self.stream = open(self.beside or self.path, "x" if self.beside else "w", encoding="utf-8",
                                   errors="replace", newline="\n")
                if there:
                    os.chmod(self.beside, os.stat(self.path).st_mode & 0o7777)
            except OSError as problem:
                self.drop()
                raise RecordError(f"no writable file ({problem.strerror})", self.given) from None
        return self.stream

    def __exit__(self, kind, *_):
        try:
            if self.path:
                self.stream.close()
            if self.beside and not kind:
                os.replace(self.beside, self.path)
        except OSError:                                 # a full disk, told already if it was that
            if not kind:
                raise
        finally:
            self.drop()

    def drop(self):
        """Leave nothing beside it."""
        if self.beside and os.path.lexists(self.beside):
            os.unlink(self.beside)


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
    argv = sys.argv[1:] if argv is None else argv
    out, sys.stdout = sys.stdout, io.StringIO()         # argparse passes over a full disk
    try:
        options = build_parser(argv[0] if argv else None).parse_args(argv)
    except SystemExit as leaving:
        if not leaving.code:
            out.write(sys.stdout.getvalue())
        return leaving.code
    finally:
        sys.stdout = out
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
        drop_output()                                   # the reader may have been interrupted too
        tell("error: interrupted")
        return problem.args[0] if problem.args else EXIT_INTERRUPTED
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(main())
