import { typesAt } from '../../lifecycle.ts';
import type { ResourceType } from '../../resource-type.ts';
import { describeObserved } from '../../testing/observed.ts';
import { describeObservedDefaults } from '../../testing/observed-defaults.ts';
import { writePath } from '../../testing/write-path.ts';
import { events } from './index.ts';

const release = '1.20';
const path = writePath(undefined, release, { version: 'events/v1' });

function typeOf(): ResourceType {
  const [type] = typesAt(release, [events]);
  if (type === undefined) throw new Error('no events');
  return type;
}

describeObserved(new URL('observed-validation.fixture.jsonl', import.meta.url), typeOf, path);
describeObservedDefaults(new URL('observed-defaults.fixture.jsonl', import.meta.url), typeOf, path);
