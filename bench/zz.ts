import { BenchContext } from './lib/context.ts';
import { watches } from './scenarios/zz-watches.ts';
await using context = new BenchContext();
console.error(await watches(context));
