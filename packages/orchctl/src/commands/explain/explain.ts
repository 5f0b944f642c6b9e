import type { DiscoveredResource } from '@orch/client';
import { parseApiVersion } from '@orch/machinery';
import { choiceFlag, switchFlag, textFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import { readSchemas } from '../../schemas/read-schemas.ts';
import type { Session } from '../../session/session.ts';
import { explanation } from './explanation.ts';

const section = 'Flags';

export const explain = command({
  usage: 'explain TYPE[.FIELD...] [flags]',
  about: 'Describes a resource and its fields, from the OpenAPI documents of the server.',
  examples: [
    { comment: 'A resource', line: 'orchctl explain pods' },
    { comment: 'A field', line: 'orchctl explain deployments.spec.strategy' },
    { comment: 'All fields below', line: 'orchctl explain pods.spec.containers --recursive' },
    { comment: 'In another version', line: 'orchctl explain hpa --api-version=autoscaling/v1' },
  ],
  flags: {
    apiVersion: textFlag({ name: 'api-version', help: 'Describe the resource in this version.', section }),
    output: choiceFlag(
      {
        name: 'output',
        short: 'o',
        help: 'The document of the server: plaintext is OpenAPI version 3, or 2 if there is no other one.',
        section,
      },
      ['plaintext', 'plaintext-openapiv2'],
      'plaintext',
    ),
    recursive: switchFlag({
      name: 'recursive',
      short: 'R',
      help: 'Print the names of all fields below.',
      section,
    }),
    maxDepth: wholeFlag(
      { name: 'max-depth', help: 'With --recursive: the levels of fields to print; 0 is all.', section },
      0,
      { least: 0, most: 1000 },
    ),
  },
  async run({ flags, words, io, session: open, signal }) {
    const [word = '', ...more] = words;
    if (word === '' || more.length > 0)
      throw new UsageError('exactly one resource is required, such as pods or pods.spec');
    if (flags.maxDepth > 0 && !flags.recursive) throw new UsageError('--max-depth requires --recursive');
    const session = await open();
    const { resource, fields } = await resourceOf(word, session);
    const explained =
      flags.apiVersion === '' ? resource : await inVersion(session, resource, flags.apiVersion);
    const source = flags.output === 'plaintext' ? undefined : 'v2';
    const reader = await readSchemas(session, explained, { ...(source && { source }), signal });
    const schema = reader.ofKind(explained, session.names.schemaExtensions.groupVersionKind);
    if (schema === undefined)
      throw new CommandError(
        `the server has no schema of ${explained.kind}; it is an object with any fields`,
      );
    const depth = !flags.recursive ? undefined : flags.maxDepth || Number.POSITIVE_INFINITY;
    io.out.write(explanation(reader, explained, { schema, fields, depth }));
    return 0;
  },
});

/**
 * Splits `pods.spec` or `deployments.apps.spec` into resource and field: dots belong to its group as long as a resource
 * has that name.
 */
async function resourceOf(
  word: string,
  { resources }: Session,
): Promise<{ readonly resource: DiscoveredResource; readonly fields: readonly string[] }> {
  const parts = word.split('.');
  const { all } = await resources.all();
  for (let length = parts.length; length > 1; length--) {
    const group = parts.slice(1, length).join('.');
    const isGroup = all.some((one) => one.group === group || `${one.version}.${one.group}` === group);
    if (!isGroup) continue;
    const resource = await resources.named(parts.slice(0, length).join('.'));
    return { resource, fields: parts.slice(length) };
  }
  const [type = '', ...fields] = parts;
  return { resource: await resources.named(type), fields };
}

async function inVersion(
  { resources }: Session,
  { kind }: DiscoveredResource,
  apiVersion: string,
): Promise<DiscoveredResource> {
  if (parseApiVersion(apiVersion) === undefined)
    throw new UsageError(`invalid value ${JSON.stringify(apiVersion)} for --api-version`);
  return resources.ofKind(apiVersion, kind);
}
