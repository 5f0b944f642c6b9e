import { describeObserved } from '../../testing/observed.ts';
import { leases } from './index.ts';

describeObserved(new URL('observed-validation.fixture.jsonl', import.meta.url), () => leases);
