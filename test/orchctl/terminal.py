"""Runs a program in a pseudo terminal: JSON on standard input with argv, columns, rows, keys (pairs of an awaited text and what is
typed then), JSON on standard output with its output, its exit status, and whether the modes of the terminal are as before."""
import fcntl, json, os, pty, select, struct, sys, termios, time

task = json.load(sys.stdin)
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", task["rows"], task["columns"], 0, 0))
before = termios.tcgetattr(slave)
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for stream in range(3):
        os.dup2(slave, stream)
    os.close(master)
    os.execve(task["argv"][0], task["argv"], task["env"])
out, keys, status = b"", list(task["keys"]), None
deadline = time.monotonic() + 30
while time.monotonic() < deadline:
    ready, _, _ = select.select([master], [], [], 0.05)
    if ready:
        out += os.read(master, 65536)
    if keys and keys[0][0].encode() in out:
        os.write(master, keys.pop(0)[1].encode())
    if not ready and status is None:
        done, code = os.waitpid(child, os.WNOHANG)
        status = os.waitstatus_to_exitcode(code) if done else None
    elif not ready:
        break
else:
    os.kill(child, 9)
json.dump({"out": out.decode("utf8", "replace"), "status": status, "isRestored": termios.tcgetattr(slave) == before}, sys.stdout)
