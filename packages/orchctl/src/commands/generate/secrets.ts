import { createPrivateKey, X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { type ApiObject, messageOf } from '@orch/machinery';
import { listFlag, textFlag, UsageError } from '@orch/program/flags';
import { CommandError } from '../../command-error.ts';
import { contentHash } from './data/content-hash.ts';
import { appendHashFlag, dataFlags, readBytes, readData } from './data/key-values.ts';
import { generator, newMetadata, section } from './generator.ts';

interface SecretContent {
  readonly name: string;
  readonly type: string;
  readonly data: ReadonlyMap<string, Buffer>;
  readonly appendHash: boolean;
}

function secretOf({ name, type, data, appendHash }: SecretContent): ApiObject {
  const encoded = Object.fromEntries([...data].map(([key, value]) => [key, value.toString('base64')]));
  const hash = contentHash({ kind: 'Secret', type, name, data: encoded });
  return {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: newMetadata(appendHash ? `${name}-${hash}` : name) },
    ...(type !== '' && { type }),
    ...(data.size > 0 && { data: encoded }),
  };
}

export const genericSecret = generator({
  usage: 'secret generic NAME [--type=TYPE] [--from-file=[KEY=]FILE] [--from-literal=KEY=VALUE] [flags]',
  about: 'Creates a secret from files, folders and literal values.',
  examples: [
    {
      comment: 'From literal values',
      line: 'orchctl create secret generic login --from-literal=password=secret',
    },
    {
      comment: 'From a file, under another key',
      line: 'orchctl create secret generic key --from-file=ssh=id_rsa',
    },
  ],
  flags: {
    ...dataFlags,
    ...appendHashFlag,
    type: textFlag({ name: 'type', help: 'The type of the secret.', section }),
  },
  isNamespaced: true,
  build: ({ name, flags, io }) =>
    secretOf({ name, type: flags.type, data: readData(flags, io), appendHash: flags.appendHash }),
});

export const dockerRegistrySecret = generator({
  usage:
    'secret docker-registry NAME (--docker-username=USER --docker-password=PASSWORD [--docker-server=URL] | --from-file=[KEY=]FILE) [flags]',
  about: 'Creates a secret with the credentials of a registry of images.',
  examples: [
    {
      comment: 'Credentials of a registry',
      line: 'orchctl create secret docker-registry pull --docker-server=registry.example.com --docker-username=u --docker-password=p',
    },
  ],
  flags: {
    ...appendHashFlag,
    username: textFlag({ name: 'docker-username', help: 'The user.', section }),
    password: textFlag({ name: 'docker-password', help: 'The password.', section }),
    email: textFlag({ name: 'docker-email', help: 'The email address.', section }),
    server: textFlag(
      { name: 'docker-server', help: 'The registry.', section },
      'https://index.docker.io/v1/',
    ),
    fromFile: listFlag({ name: 'from-file', help: 'A file with the configuration, or KEY=FILE.', section }),
  },
  isNamespaced: true,
  async build({ name, flags, io, names }) {
    const { username, password, email, server, fromFile, appendHash } = flags;
    if (fromFile.length === 0 && (username === '' || password === '' || server === ''))
      throw new UsageError(
        'either --from-file or the combination of --docker-username, --docker-password and --docker-server is required',
      );
    const auth = Buffer.from(`${username}:${password}`).toString('base64');
    const entry = { username, password, ...(email !== '' && { email }), auth };
    const data =
      fromFile.length > 0
        ? readData({ fromFile, fromLiteral: [], fromEnvFile: [] }, io)
        : new Map([['.dockerconfigjson', Buffer.from(JSON.stringify({ auths: { [server]: entry } }))]]);
    return secretOf({ name, type: (await names()).secretTypes.dockerconfigjson, data, appendHash });
  },
});

export const tlsSecret = generator({
  usage: 'secret tls NAME --cert=FILE --key=FILE [flags]',
  about: 'Creates a secret with a certificate and its private key, which must belong together.',
  examples: [
    { comment: 'A certificate', line: 'orchctl create secret tls server --cert=server.crt --key=server.key' },
  ],
  flags: {
    ...appendHashFlag,
    cert: textFlag({ name: 'cert', help: 'The file with the certificate.', section }),
    key: textFlag({ name: 'key', help: 'The file with the private key.', section }),
  },
  isNamespaced: true,
  async build({ name, flags, io, names }) {
    if (flags.cert === '' || flags.key === '') throw new UsageError('key and cert must be specified');
    const cert = readBytes(resolve(io.folder, flags.cert));
    const key = readBytes(resolve(io.folder, flags.key));
    checkPair(cert, key);
    const data = new Map([
      ['tls.crt', cert],
      ['tls.key', key],
    ]);
    return secretOf({ name, type: (await names()).secretTypes.tls, data, appendHash: flags.appendHash });
  },
});

function checkPair(cert: Buffer, key: Buffer): void {
  try {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return;
  } catch (error) {
    throw new CommandError(`the certificate or key cannot be read: ${messageOf(error)}`, { cause: error });
  }
  throw new CommandError('the private key does not belong to the certificate');
}
