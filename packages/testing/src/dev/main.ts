#!/usr/bin/env node
// This file runs on every Node; what it imports later does not.
import { unsupportedNode } from '../node-version.ts';

const problem = unsupportedNode();
if (problem === undefined) {
  await import('./dev-program.ts');
} else {
  process.stderr.write(`orch dev: ${problem}\n`);
  process.exitCode = 1;
}
