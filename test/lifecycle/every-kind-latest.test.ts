import { describeEveryKind } from './every-kind.ts';

describeEveryKind({ release: '1.30', naming: 'orch', storedAs: 'protobuf' });
describeEveryKind({ release: '1.33', naming: 'kubernetes', storedAs: 'json' });
describeEveryKind({ release: '1.36', naming: 'orch', storedAs: 'protobuf' });
