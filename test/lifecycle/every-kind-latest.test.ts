import { describeEveryKind } from './every-kind.ts';

describeEveryKind([
  { release: '1.30', naming: 'orch', storedAs: 'protobuf' },
  { release: '1.33', naming: 'kubernetes', storedAs: 'json' },
  { release: '1.37', naming: 'orch', storedAs: 'protobuf' },
]);
