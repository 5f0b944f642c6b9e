import type { ResourceType } from '../resource-type.ts';
import { describeObserved } from '../testing/observed.ts';
import { describeObservedDefaults } from '../testing/observed-defaults.ts';
import { writePath } from '../testing/write-path.ts';
import { certificatesGroup } from './group.ts';

function typeOf(kind: string): ResourceType {
  const type = certificatesGroup.types.find((one) => one.kind === kind);
  if (type === undefined) throw new Error(`no kind ${kind}`);
  return type;
}

const user = { name: 'admin', uid: '1', groups: ['system:masters', 'system:authenticated'] };
const path = writePath(undefined, '1.20', { user });

describeObserved(new URL('v1-observed-validation.fixture.jsonl', import.meta.url), typeOf, path);
describeObservedDefaults(new URL('v1-observed-defaults.fixture.jsonl', import.meta.url), typeOf, path);
describeObservedDefaults(
  new URL('v1beta1-observed-defaults.fixture.jsonl', import.meta.url),
  typeOf,
  writePath(undefined, '1.20', { version: 'certificates/v1beta1', user }),
);
