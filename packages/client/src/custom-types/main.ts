#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { thisProcess } from '../connect/this-process.ts';
import { runTypesProgram } from './types-program.ts';

const { name, version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly name: string; readonly version: string };

const { args, environment, folder } = thisProcess();
process.exitCode = await runTypesProgram(args, {
  // The testing package installs this program too.
  clientPackage: name.replace(/\/.*$/, '/client'),
  version,
  environment,
  folder,
  input: process.stdin,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
});
