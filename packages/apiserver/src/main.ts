import { endProcess, runProgram } from '@orch/program';
import { apiServerProgram } from './api-server-program.ts';
import { announce } from './program-host.ts';

endProcess(await runProgram(apiServerProgram(announce), process.argv.slice(2)));
