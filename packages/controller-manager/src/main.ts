import { endProcess, runProgram } from '@orch/program';
import { controllerManagerProgram } from './controller-manager-program.ts';

endProcess(await runProgram(controllerManagerProgram(), process.argv.slice(2)));
