"""CPython's verdicts: one JSON request a line in, one answer a line out.

A request is [pattern, [name, ...]]. The answer is {"error", "position"} for a pattern that is refused, {"recursion"}
for one that is nested too deeply for CPython, or a string with one letter a name: m match, n no match, r raised,
t took longer than the limit, which is the only argument, in seconds. The first line out is CPython's version.
"""

import json
import platform
import re
import signal
import sys
import time
import warnings

warnings.simplefilter('ignore')


class Slow(BaseException):
    pass


def on_alarm(_signal, _frame):
    raise Slow


signal.signal(signal.SIGALRM, on_alarm)
LIMIT = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0


def verdict(compiled, name):
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        return 'm' if compiled.search(name) else 'n'
    except Exception:
        return 'r'
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def verdict_in_time(compiled, name):
    # outside of all that the alarm may still break off
    try:
        return verdict(compiled, name)
    except Slow:
        return 't'


def answer(pattern, names):
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        return {'error': error.msg, 'position': error.pos}
    except (OverflowError, ValueError) as error:
        return {'error': str(error), 'position': None}
    except RecursionError:
        return {'recursion': True}
    finally:
        re.purge()
    out = ''
    deadline = time.monotonic() + 3 * LIMIT
    for name in names:
        out += verdict_in_time(compiled, name) if time.monotonic() < deadline else 't'
    return out


def main():
    sys.stdout.write(json.dumps(platform.python_version()) + '\n')
    for line in sys.stdin:
        pattern, names = json.loads(line)
        sys.stdout.write(json.dumps(answer(pattern, names)) + '\n')
        sys.stdout.flush()


if __name__ == '__main__':
    main()
