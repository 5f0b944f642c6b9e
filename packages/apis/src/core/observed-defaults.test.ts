import { describeObservedDefaults } from '../testing/observed-defaults.ts';
import { coreTypes } from './group.ts';

describeObservedDefaults(new URL('observed-defaults.fixture.jsonl', import.meta.url), (kind) => {
  const type = coreTypes.find((one) => one.kind === kind);
  if (type === undefined) throw new Error(`no kind ${kind}`);
  return type;
});
