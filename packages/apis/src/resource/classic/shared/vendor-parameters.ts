import { f } from '@orch/schema';
import { RawExtension } from '../../../meta/raw.ts';

/** A field with parameters in the format of a driver, which nothing else reads; `null` where there are none. */
export const vendorParametersField = (num: number, doc: string) =>
  f.struct(num, RawExtension, { doc, presence: 'always', nullable: true, openapiRequired: false });
