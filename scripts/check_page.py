#!/usr/bin/env python3
"""Look at the auditor's HTML page in a real browser: headless Chromium, wide, narrow, light, dark, printed.

    check_page.py [--output DIR] [--many N] [PATH ...]

A PATH is an .html file to look at as it is, or a call record (.json) to audit first; of several records the
page of them all is looked at too. Without PATH: some records of fixtures/, and the page of all of them.
Looked at are widths, schemes, contrast, links, keyboard order, filters, what is printed, what stays in reach
on a phone, the page without :has(), and, with --many (default 1000, 0 for none), how large the page of so many
calls is and how long it takes to show: the records again and again, under new call ids.
Pictures and PDFs go to DIR (by default a new temporary directory); what is wrong is printed, a line each.

Exit code 0: nothing is wrong, or skipped, as there is no Chromium (Debian: apt-get install chromium; the
variable CHROMIUM may name one); 1: something is wrong. Chromium listens on two pipes: no port is opened.
"""
import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
AUDITOR = HERE / "post_summary_faithfulness_auditor.py"
FIXTURES = HERE.parent / "fixtures"
SAMPLES = ("failure_as_success", "fabricated_fee", "several_recipients", "spelled_asr", "null_summary")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 900                          # seconds for all pages together
LARGEST, LONGEST = 10_000_000, 3        # bytes of the page of a thousand calls, seconds until it is shown

VIEWS = {                               # name: width, height, colour scheme
    "wide-light": (1280, 800, "light"),
    "wide-dark": (1280, 800, "dark"),
    "narrow-light": (360, 740, "light"),
    "narrow-dark": (360, 740, "dark"),
}

LOOK = """(() => {                      // what a view of the page must keep, whatever its size and colours
  const wrong = [];
  const root = document.documentElement;
  if (!getComputedStyle(root).getPropertyValue("--page")) wrong.push("the style is not applied");
  if (root.scrollWidth > innerWidth) wrong.push(`scrolls sideways: ${root.scrollWidth} px wide`);
  for (const box of document.querySelectorAll(".pane, header"))
    if (box.scrollWidth > box.clientWidth + 1) wrong.push(`a ${box.localName} scrolls sideways`);
  const parse = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = colour => {
    const [r, g, b] = colour.map(c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const paper = node => {
    for (; node; node = node.parentElement) {
      const colour = parse(getComputedStyle(node).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement, said = walker.currentNode.data.trim();
    if (!said || !node.getClientRects().length || node.closest(".unseen")) continue;
    const [a, b] = [light(parse(getComputedStyle(node).color)), light(paper(node))].sort((x, y) => x - y);
    const ratio = (b + .05) / (a + .05);
    if (ratio < 4.5) wrong.push(`contrast ${ratio.toFixed(2)} of "${said.slice(0, 30)}"`);
  }
  return wrong;
})()"""

FOLLOW = """(async () => {              // each link's target is shown, within the window, and highlighted
  const wrong = [];
  const links = new Set([...document.querySelectorAll("a")].map(link => link.getAttribute("href")));
  for (const link of [...links].slice(0, 40)) {
    location.hash = link;
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const target = document.querySelector(":target");
    const box = target && target.getBoundingClientRect();
    if (!target || "#" + target.id !== link) wrong.push(`${link} leads nowhere`);
    else if (!box.width || box.top >= innerHeight || box.bottom <= 0) wrong.push(`${link} is not in view`);
    else if (target.matches(".claim, tr, .talk > li, .text > a")
             && getComputedStyle(target).outlineStyle === "none")
      wrong.push(`${link} is not highlighted`);
  }
  location.hash = "";
  return wrong;
})()"""

FOCUS = """[...document.querySelectorAll("*")].indexOf(document.activeElement)"""

SHOWN = """
  const shown = nodes => [...document.querySelectorAll(nodes)].filter(node => node.getClientRects().length);
"""
FILTER = """((printed) => {                // each filter shows as many calls as it says, in the list and on paper
  const wrong = [];""" + SHOWN + """
  for (const box of document.querySelectorAll(".filters input")) {
    box.click();
    const name = box.id, said = +box.parentElement.querySelector("b").textContent;
    const rows = shown(name === "only-unread" ? ".gone .row" : "nav > .rows > .row").length;
    if (rows !== said) wrong.push(`${name} says ${said} and shows ${rows}`);
    const cards = shown(".card").filter(card => !/\\.r\\d+$/.test(card.id)).length;
    const expected = printed && name !== "only-unread" ? said : 0;
    if (cards !== expected) wrong.push(`${name}: ${cards} calls below the list, not ${expected}`);
  }
  const all = document.querySelector("#only-all");
  if (all) all.click();
  return wrong;
})"""

PRINT = """(() => {                     // on paper: light, and every card there
  const wrong = [];
  if (getComputedStyle(document.documentElement).backgroundColor !== "rgb(255, 255, 255)")
    wrong.push("the paper is not white");
  for (const card of document.querySelectorAll("#index, .card"))
    if (!card.getClientRects().length) wrong.push(`#${card.id} is not printed`);
  return wrong;
})()"""

ALONE = """(() => {                     // on paper: the call that is open, and nothing else
  const wrong = [];""" + SHOWN + """
  const cards = shown("#index, .card").map(card => card.id);
  if (cards.length !== 1 || "#" + cards[0] !== location.hash) wrong.push(`${location.hash} is printed as ${cards}`);
  return wrong;
})()"""

REACH = """(() => {                     // at the end of a long call the ways on are still in view, in one line
  const wrong = [];
  scrollTo(0, document.body.scrollHeight);
  const links = [...document.querySelectorAll(".walk a")].filter(link => link.getClientRects().length);
  for (const link of links) {
    const box = link.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (top !== link) wrong.push(`"${link.textContent}" is out of reach`);
    if (box.height < 24) wrong.push(`"${link.textContent}" is too low for a finger`);
  }
  if (links.length && links[0].parentElement.offsetHeight > 48) wrong.push("the ways on take two lines");
  scrollTo(0, 0);
  return wrong;
})()"""

PLAIN = """(() => {                     // where a browser lacks :has(): a plain list, every call below it
  const wrong = [];
  const strip = sheet => {
    for (let n = sheet.cssRules.length - 1; n >= 0; n--) {
      const rule = sheet.cssRules[n];
      if ((rule.selectorText || "").includes(":has(")) sheet.deleteRule(n);
      else if (rule.cssRules && rule.cssRules.length) strip(rule);
    }
  };
  const before = document.styleSheets[0].cssRules.length;
  strip(document.styleSheets[0]);
  if (document.styleSheets[0].cssRules.length === before) wrong.push("no rule with :has() was found");
  for (const node of document.querySelectorAll(".row, .card"))
    if (!node.getClientRects().length) wrong.push(`without :has(), #${node.id} is not shown`);
  return wrong;
})()"""


class Browser:
    """One headless Chromium with one tab, spoken to in the DevTools protocol over two pipes."""

    def __init__(self, program, home):
        to_read, self.to_write = os.pipe()
        self.to_hear, to_say = os.pipe()
        flags = ["--headless", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                 f"--user-data-dir={home}"] + ["--no-sandbox"] * (os.geteuid() == 0)
        self.process = subprocess.Popen(        # Chromium reads from 3 and writes to 4
            ["sh", "-c", f'exec "$@" 3<&{to_read} 4>&{to_say}', "sh", program, *flags],
            pass_fds=(to_read, to_say), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_say)
        self.heard, self.events, self.count, self.session = b"", [], 0, {}
        tab = self.ask("Target.createTarget", url="about:blank")["targetId"]
        session = self.ask("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        self.session = {"sessionId": session}
        for domain in ("Page", "Log", "Network", "Runtime"):
            self.ask(domain + ".enable")

    def hear(self):
        """The next message."""
        while b"\0" not in self.heard:
            part = os.read(self.to_hear, 1 << 16)
            if not part:
                raise RuntimeError("Chromium has left")
            self.heard += part
        message, _, self.heard = self.heard.partition(b"\0")
        return json.loads(message)

    def ask(self, method, **params):
        """Call a method; return its result. Events met meanwhile are kept."""
        self.count += 1
        request = {"id": self.count, "method": method, "params": params, **self.session}
        os.write(self.to_write, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.hear()
            if answer.get("id") != self.count:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def run(self, script):
        """The value of a script in the page."""
        result = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        return result["result"].get("value")

    def view(self, width, height, scheme, media=""):
        """Set the window's size and the reader's preferences."""
        self.ask("Emulation.setDeviceMetricsOverride",
                 width=width, height=height, deviceScaleFactor=1, mobile=False)
        features = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        self.ask("Emulation.setEmulatedMedia", media=media,
                 features=[{"name": name, "value": value} for name, value in features.items()])

    def open(self, address):
        """Load a page anew; return what it asked for besides itself and what the browser complains of."""
        for url in ("about:blank", address):    # a new fragment alone would load nothing
            self.events.clear()
            self.ask("Page.navigate", url=url)
            while not self.met("Page.loadEventFired"):
                self.events.append(self.hear())
        wrong = [event["params"]["entry"]["text"] for event in self.met("Log.entryAdded")]
        asked = [event["params"]["request"]["url"] for event in self.met("Network.requestWillBeSent")]
        return wrong + [f"asks for {url}" for url in asked if url != address.partition("#")[0]]

    def met(self, method):
        """The events of a kind since the page was opened."""
        return [event for event in self.events if event.get("method") == method]

    def press_tab(self):
        for kind in ("rawKeyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)

    def close(self):
        self.process.terminate()
        self.process.wait()


def check_page(browser, page, pictures):
    """Look at one page in every view; yield what is wrong."""
    address = page.resolve().as_uri()
    for name, (width, height, scheme) in VIEWS.items():
        browser.view(width, height, scheme)
        wrong = browser.open(address) + browser.run(LOOK)
        save(pictures / f"{page.stem}-{name}.png", browser.ask("Page.captureScreenshot"))
        if scheme == "light":
            wrong += check_focus(browser) + browser.run(FOLLOW) + browser.run(FILTER + "(false)")
        first = browser.run("""[...document.querySelectorAll(".row > div > a")].slice(0, 2).map(link => link.hash).pop() || """"")
        if first:                               # many calls: a card as well, which has ways to all sides
            wrong += browser.open(address + first) + browser.run(LOOK)
            save(pictures / f"{page.stem}-{name}-first.png", browser.ask("Page.captureScreenshot"))
            wrong += browser.run(REACH)
        yield from (f"{name}: {problem}" for problem in wrong)
    browser.view(800, 1100, "dark", "print")
    wrong = browser.open(address) + browser.run(PRINT) + browser.run(LOOK) + browser.run(FILTER + "(true)")
    if first:
        wrong += browser.open(address + first) + browser.run(ALONE)
    yield from (f"print: {problem}" for problem in wrong)
    browser.view(800, 1100, "dark")
    save(pictures / f"{page.stem}.pdf", browser.ask("Page.printToPDF", printBackground=False))
    yield from browser.open(address) + browser.run(PLAIN)


def check_speed(browser, page):
    """The page of many calls must be small, and shown soon: the best of five times, as machines are busy."""
    browser.view(1280, 800, "light")
    size, times = page.stat().st_size, []
    while len(times) < 5 and min(times, default=LONGEST) >= LONGEST:
        start = time.monotonic()
        browser.open(page.resolve().as_uri())
        browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        times.append(time.monotonic() - start)
    shown = min(times)
    opening = browser.run("""new Promise(done => {
        const start = performance.now();
        location.hash = document.querySelector(".row a").hash;
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
    })""") / 1000
    print(f"{page.name}: {size:,} bytes, shown after {shown:.1f} s, a call opened after {opening:.1f} s")
    if size > LARGEST:
        yield f"over {LARGEST:,} bytes"
    if max(shown, opening) > LONGEST:
        yield f"over {LONGEST} s"


def check_focus(browser):
    """The tabulator key must walk down the page, from its top."""
    places = []
    for _ in range(25):
        browser.press_tab()
        place = browser.run(FOCUS)
        if places and place <= places[0]:       # past the last: from the top again
            break
        places.append(place)
    return [] if places == sorted(places) else ["the focus jumps back"]


def save(path, answer):
    path.write_bytes(base64.b64decode(answer["data"]))


def make_pages(records, alone, folder):
    """Audit to a page each of these records, and all of them together; yield the pages' paths."""
    runs = [(record.stem, [record]) for record in alone] + [("all", records)] * (len(records) > 1)
    for name, paths in runs:
        page = folder / f"{name}.html"
        command = [sys.executable, AUDITOR, "audit", "--format", "html", "--output", page, *paths]
        subprocess.run(command, check=True)
        yield page


def make_many(records, count, folder):
    """The page of so many calls: these records again and again, under new call ids."""
    bodies = [json.loads(record.read_text(encoding="utf-8-sig")) for record in records]
    lines = [line for path in sorted(FIXTURES.glob("labelled/*.jsonl"))
             for line in path.read_text(encoding="utf-8").splitlines()]
    bodies = [json.loads(line)["call"] for line in lines] or [body for body in bodies if isinstance(body, dict)]
    home = folder / "many"
    home.mkdir(exist_ok=True)
    for number in range(count):
        body = {**bodies[number % len(bodies)], "call_id": f"call-{number}"}
        (home / f"{number}.json").write_text(json.dumps(body), encoding="utf-8")
    page = folder / "many.html"
    command = [sys.executable, AUDITOR, "audit", "--format", "html", "--output", page.resolve()]
    subprocess.run(command + [f"{number}.json" for number in range(count)], check=True, cwd=home)
    shutil.rmtree(home)
    return page


def main(argv=None):
    """Look at the pages; return the exit code."""
    parser = argparse.ArgumentParser(description="Look at the auditor's HTML page in headless Chromium.")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="an .html page, or a record")
    parser.add_argument("--output", type=Path, metavar="DIR", help="where pictures and PDFs go")
    parser.add_argument("--many", type=int, metavar="N", default=1000, help="calls of the large page (1000)")
    options = parser.parse_args(argv)
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not program:
        print("skipped: no Chromium here (Debian: apt-get install chromium)")
        return 0
    output = options.output or Path(tempfile.mkdtemp(prefix="check_page-"))
    output.mkdir(parents=True, exist_ok=True)
    pages = [path for path in options.paths if path.suffix == ".html"]
    records = [path for path in options.paths if path.suffix != ".html"]
    alone = records
    if not options.paths:
        records = sorted(FIXTURES.glob("*.json"))
        alone = [record for record in records if record.stem in SAMPLES]
    pages += make_pages(records, alone, output)
    found = 0
    home = tempfile.mkdtemp(prefix="check_page-profile-")
    browser = Browser(program, home)
    watch = threading.Timer(PATIENCE, browser.process.kill)
    watch.start()
    try:
        for page in pages:
            for problem in check_page(browser, page, output):
                found += 1
                print(f"{page.name}: {problem}")
        if options.many and records:
            for problem in check_speed(browser, make_many(records, options.many, output)):
                found += 1
                print(f"{options.many} calls: {problem}")
    finally:
        watch.cancel()
        browser.close()
        shutil.rmtree(home, ignore_errors=True)
    print(f"{len(pages)} pages looked at, {found} problems; pictures in {output}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
