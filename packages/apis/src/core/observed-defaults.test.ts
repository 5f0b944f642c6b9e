import { describeObservedDefaults } from '../testing/observed-defaults.ts';
import { coreGroup } from './group.ts';

describeObservedDefaults(new URL('observed-defaults.fixture.jsonl', import.meta.url), (kind) => {
  const type = coreGroup.types.find((one) => one.kind === kind);
  if (type === undefined) throw new Error(`no kind ${kind}`);
  return type;
});
