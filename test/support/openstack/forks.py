"""Runs commands of the OpenStack client, each in a process forked from one that has loaded the client.

Reads lines of JSON, {"id", "args"}, and writes one when a command has ended: {"id", "status", "out", "err"}.
"""

import json
import logging
import os
import selectors
import signal
import sys
import tempfile
import traceback

from openstackclient import shell


def status_of(args):
    """Runs a command here, and returns the status with which it would end."""
    try:
        status = shell.main(args)
    except SystemExit as ended:
        status = ended.code
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    if status is None:
        return 0
    return status if isinstance(status, int) else 1


def run_child(args, out, err):
    """Runs a command in a child, which writes to two files, and returns the number of its process."""
    process = os.fork()
    if process != 0:
        return process
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    os._exit(status_of(args))


def text_in(file):
    """The text that a child has written into a file, which is then closed."""
    with file:
        file.seek(0)
        return file.read().decode()


def main():
    # The first command loads the plug-ins.
    with tempfile.TemporaryFile() as unread:
        written = os.dup(1)
        os.dup2(unread.fileno(), 1)
        status_of(["help", "zone", "list"])
        os.dup2(written, 1)
    # Each command sets up its own.
    logging.getLogger().handlers.clear()

    ended, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waking)
    selector = selectors.DefaultSelector()
    selector.register(0, selectors.EVENT_READ)
    selector.register(ended, selectors.EVENT_READ)
    running = {}
    rest = b""
    while True:
        ready = [key.fd for key, _ in selector.select()]
        if 0 in ready:
            got = os.read(0, 65536)
            if not got:
                return
            *lines, rest = (rest + got).split(b"\n")
            for line in lines:
                asked = json.loads(line)
                out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
                running[run_child(asked["args"], out, err)] = (asked["id"], out, err)
        if ended in ready:
            os.read(ended, 4096)
            for process in list(running):
                done, status = os.waitpid(process, os.WNOHANG)
                if done == 0:
                    continue
                number, out, err = running.pop(process)
                answer = {"id": number, "status": os.waitstatus_to_exitcode(status)}
                answer.update(out=text_in(out), err=text_in(err))
                print(json.dumps(answer), flush=True)


main()
