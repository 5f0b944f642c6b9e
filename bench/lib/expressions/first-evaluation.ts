import { compile } from '@orch/cel';
import { adversarial, environment, longestPiece } from './adversarial.ts';

/**
 * The longest piece of the first evaluation in a process, in ms, of the expression with the number in the argument: none of its
 * code is optimized yet.
 */
const program = compile(adversarial[Number(process.argv[2])] ?? '', environment);
process.stdout.write(String(longestPiece(program, () => performance.now())));
