import { describeObserved } from '../testing/observed.ts';
import { coreTypes } from './group.ts';

describeObserved(new URL('observed-validation.fixture.jsonl', import.meta.url), (kind) => {
  const type = coreTypes.find((one) => one.kind === kind);
  if (type === undefined) throw new Error(`no kind ${kind}`);
  return type;
});
