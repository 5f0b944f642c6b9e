import { clientConfigText } from '@orch/apiserver';
import { encodeYaml } from '@orch/machinery/yaml';
import { privateKeyPem } from '@orch/pki/x509';
import type { PlannedAuthority } from './authorities.ts';
import type { PlanContext } from './context.ts';
import { fileNames } from './parts.ts';
import type { EncryptionProvider } from './state.ts';

const KEY_BYTES = 32;

/** Creates the configuration of encryption at rest with a new key; never changes an existing file. */
export function planEncryption({ draft, names, env }: PlanContext, provider: EncryptionProvider): void {
  const file = fileNames.encryption;
  if (draft.read(file) !== undefined || provider === 'none') {
    draft.keep(file);
    return;
  }
  const key = { name: 'key1', secret: env.random.bytes(KEY_BYTES).toString('base64') };
  draft.put(
    file,
    String(
      encodeYaml({
        apiVersion: names.apiVersion('apiserverconfig', 'v1'),
        kind: 'EncryptionConfiguration',
        resources: [
          { resources: ['secrets'], providers: [{ [provider]: { keys: [key] } }, { identity: {} }] },
        ],
      }),
    ),
  );
}

/**
 * The client configurations. That of administrators contains everything and can be copied; that of controller managers names
 * the files beside it, which are reloaded.
 */
export function planClientConfigs(
  { draft, names }: PlanContext,
  server: string,
  serving: PlannedAuthority,
): void {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const read = (file: string): string => draft.read(file) ?? '';
  const authorities = base64(serving.trusted.join(''));
  const connection = { server, 'certificate-authority-data': authorities };
  const reason = 'certificates or settings have changed';
  draft.put(
    fileNames.adminConfig,
    clientConfigText({
      cluster: names.product,
      user: 'admin',
      connection,
      credentials: {
        'client-certificate-data': base64(read('admin.crt')),
        'client-key-data': base64(privateKeyPem(read('admin.key'))),
      },
    }),
    { reason },
  );
  draft.put(
    fileNames.managerConfig,
    clientConfigText({
      cluster: names.product,
      user: names.programs.controllerManager,
      connection,
      credentials: {
        'client-certificate': 'controller-manager.crt',
        'client-key': 'controller-manager.key',
      },
    }),
    { reason },
  );
}
