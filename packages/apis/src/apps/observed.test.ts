import { typesAt } from '../lifecycle.ts';
import type { ResourceType } from '../resource-type.ts';
import { describeObserved } from '../testing/observed.ts';
import { describeObservedDefaults } from '../testing/observed-defaults.ts';
import { appsGroup } from './group.ts';

const release = '1.20';
const definitions = typesAt(release, appsGroup.types);

function typeOf(kind: string): ResourceType {
  const type = definitions.find((one) => one.kind === kind);
  if (type === undefined) throw new Error(`no kind ${kind}`);
  return type;
}

describeObserved(new URL('observed-validation.fixture.jsonl', import.meta.url), typeOf, release);
describeObservedDefaults(new URL('observed-defaults.fixture.jsonl', import.meta.url), typeOf, release);
