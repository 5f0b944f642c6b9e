const named =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ';
const FROM_MIN = 15;
const TO_MAX = 14;

const numbered = (count: number, name: (i: number) => string): readonly string[] =>
  Array.from({ length: count }, (_one, i) => name(i));

/** The signals that can end a container, in alphabetical order. */
export const stopSignals: readonly string[] = [
  ...named.split(' '),
  'RTMIN',
  ...numbered(FROM_MIN, (i) => `RTMIN+${i + 1}`),
  ...numbered(TO_MAX, (i) => `RTMAX-${TO_MAX - i}`),
  'RTMAX',
]
  .map((name) => `SIG${name}`)
  .sort();
