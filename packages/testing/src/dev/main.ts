#!/usr/bin/env node
// This file runs on every Node; what it imports does not.
const OLDEST = [22, 19] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
  await import('./dev-program.ts');
} else {
  process.stderr.write(
    `orch dev: needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}\n`,
  );
  process.exitCode = 1;
}
