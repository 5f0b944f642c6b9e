import { canonicalQuantity, QuantityError } from '@orch/machinery/quantity';
import { textFlag, UsageError } from '@orch/program/flags';
import { generator, newMetadata, section } from './generator.ts';

export const quota = generator({
  usage: 'quota NAME [--hard=RESOURCE=QUANTITY,...] [--scopes=SCOPE,...] [flags]',
  about: 'Creates a resource quota.',
  examples: [
    {
      comment: 'A quota',
      line: 'orchctl create quota small --hard=pods=10,requests.cpu=2 --scopes=NotTerminating',
    },
  ],
  flags: {
    hard: textFlag({ name: 'hard', help: 'Limits: RESOURCE=QUANTITY, separated by commas.', section }),
    scopes: textFlag({
      name: 'scopes',
      help: 'Scopes that objects must have, separated by commas.',
      section,
    }),
  },
  isNamespaced: true,
  build({ name, flags }) {
    const hard = hardLimits(flags.hard);
    const scopes = flags.scopes === '' ? [] : flags.scopes.split(',');
    if (scopes.includes('')) throw new UsageError('invalid resource quota scope ""');
    const spec = { ...(hard !== undefined && { hard }), ...(scopes.length > 0 && { scopes }) };
    return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: newMetadata(name), spec, status: {} };
  },
});

function hardLimits(text: string): Readonly<Record<string, string>> | undefined {
  if (text === '') return undefined;
  const pairs = text.split(',').map((pair) => {
    const [resource = '', amount, ...more] = pair.split('=');
    if (amount === undefined || more.length > 0)
      throw new UsageError(`Invalid argument syntax ${pair}, expected <resource>=<value>`);
    return [resource, quantityOf(amount)];
  });
  return Object.fromEntries(pairs);
}

function quantityOf(text: string): string {
  try {
    return canonicalQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) throw new UsageError(error.message);
    throw error;
  }
}
