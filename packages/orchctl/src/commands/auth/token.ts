import { asText, objectAt } from '@orch/machinery/json';
import { choiceFlag, durationFlag, listFlag, textFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { objectText } from '../../print/object-text.ts';
import { outputFlags, parseOutputFormat } from '../../print/output-format.ts';

const section = 'Flags';

export const createToken = command({
  usage: 'create token NAME [flags]',
  about:
    'Requests a token of a service account and prints it. The server limits its lifetime. A token that is bound to an object becomes invalid when the object is deleted.',
  examples: [
    { comment: 'A token for the server', line: 'orchctl create token robot' },
    {
      comment: 'With lifetime and audience',
      line: 'orchctl create token robot --duration=10m --audience=vault',
    },
    {
      comment: 'Bound to a secret',
      line: 'orchctl create token robot --bound-object-kind=Secret --bound-object-name=mine',
    },
  ],
  flags: {
    ...outputFlags(section),
    audiences: listFlag({ name: 'audience', help: 'An audience of the token; may be repeated.', section }),
    durationMs: durationFlag({ name: 'duration', help: 'The requested lifetime.', section }, 0),
    boundKind: choiceFlag(
      { name: 'bound-object-kind', help: 'The kind of the object that the token is bound to.', section },
      ['', 'Node', 'Pod', 'Secret'],
      '',
    ),
    boundName: textFlag({ name: 'bound-object-name', help: 'The name of that object.', section }),
    boundUid: textFlag({ name: 'bound-object-uid', help: 'The uid of that object.', section }),
  },
  async run({ flags, words, io, session: open, signal }) {
    const [name = '', ...more] = words;
    if (name === '' || more.length > 0)
      throw new UsageError(`exactly one NAME is required, got ${words.length}`);
    if (flags.boundKind === '' && flags.boundName !== '')
      throw new UsageError('--bound-object-name can only be set if --bound-object-kind is provided');
    if (flags.boundKind !== '' && flags.boundName === '')
      throw new UsageError('--bound-object-name is required if --bound-object-kind is provided');
    if (flags.boundKind === '' && flags.boundUid !== '')
      throw new UsageError('--bound-object-uid can only be set if --bound-object-kind is provided');
    if (flags.durationMs % 1000 !== 0)
      throw new UsageError('expiration must be in whole seconds: --duration cannot be split further');
    const format = parseOutputFormat(flags, io);
    const session = await open();
    const accounts = await session.resources.ofKind('v1', 'ServiceAccount');
    const request = {
      apiVersion: session.names.apiVersion('authentication', 'v1'),
      kind: 'TokenRequest',
      metadata: {},
      spec: {
        audiences: flags.audiences,
        ...(flags.durationMs > 0 && { expirationSeconds: flags.durationMs / 1000 }),
        ...(flags.boundKind !== '' && {
          boundObjectRef: {
            ...{ apiVersion: 'v1', kind: flags.boundKind, name: flags.boundName },
            ...(flags.boundUid !== '' && { uid: flags.boundUid }),
          },
        }),
      },
    };
    const tokens = session.client.resource(accounts, session.namespace).subresource('token');
    const answer = await tokens.create(name, request, {}, signal);
    io.out.write(
      format.kind === 'table'
        ? `${asText(objectAt(answer, 'status')['token'])}\n`
        : objectText(format, { objects: [answer], isList: false }),
    );
    return 0;
  },
});
