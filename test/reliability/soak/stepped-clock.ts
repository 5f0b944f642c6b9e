/**
 * Loaded into a program before its own code: its wall clock differs from that of the machine by the milliseconds in the file that
 * `SOAK_CLOCK` names. Monotonic time goes on, as when the clock of a machine is set.
 */
import { readFileSync } from 'node:fs';

const READ_MS = 500;

const MachineDate = Date;
let offsetMs = 0;

function readOffset(path: string): void {
  try {
    offsetMs = Number(readFileSync(path, 'utf8'));
  } catch {
    // Without the file, the clock is that of the machine.
    offsetMs = 0;
  }
}

const now = (): number => MachineDate.now() + offsetMs;

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  apply: () => new MachineDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});

const path = process.env['SOAK_CLOCK'];
if (path !== undefined) {
  readOffset(path);
  setInterval(() => readOffset(path), READ_MS).unref();
}
