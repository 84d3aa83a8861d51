"""Writes test/matcher/spans.golden.json: where CPython's re.search finds the patterns of matcher.golden.json.

Run it with CPython 3.11.7 after that file has changed. A case is [pattern, [[name, start, end], ...]].
"""

import json
import platform
import re
import signal
import warnings

warnings.simplefilter('ignore')
MOST_NAMES = 4


def out_of_time(_signal, _frame):
    raise TimeoutError


signal.signal(signal.SIGALRM, out_of_time)


def spans(pattern, names):
    compiled = re.compile(pattern, re.IGNORECASE)
    for name in names:
        signal.setitimer(signal.ITIMER_REAL, 1)
        try:
            found = compiled.search(name)
        except TimeoutError:
            continue
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if found is not None:
            yield [name, *found.span()]


with open('test/matcher/matcher.golden.json', encoding='utf-8') as file:
    golden = json.load(file)
cases = []
for pattern, names, verdicts in golden['cases']:
    if isinstance(names, list):
        matching = [name for name, verdict in zip(names, verdicts) if verdict == 'm']
        found = list(spans(pattern, matching[:MOST_NAMES]))
        if found:
            cases.append([pattern, found])
lines = ',\n'.join(json.dumps(case, ensure_ascii=False, separators=(',', ':')) for case in cases)
with open('test/matcher/spans.golden.json', 'w', encoding='utf-8') as file:
    file.write(f'{{"python":"{platform.python_version()}","cases":[\n{lines}\n]}}\n')
