import { describeObserved } from '../testing/observed.ts';
import { coreGroup } from './group.ts';

describeObserved(new URL('observed-validation.fixture.jsonl', import.meta.url), (kind) => {
  const type = coreGroup.types.find((one) => one.kind === kind);
  if (type === undefined) throw new Error(`no kind ${kind}`);
  return type;
});
