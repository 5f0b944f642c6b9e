/** A program that uses all entry points of the client package, in modules and in CommonJS. */
export const entries = (name: string): { readonly imports: string; readonly use: string } => ({
  imports: `
import { builtinResources, isNotFound } from '${name}';
import { runExtensionServer } from '${name}/extension-server';
import { startDeviceLogin } from '${name}/login';
import { testClient } from '${name}/testing';
`,
  use: `
const { client } = testClient();
const { configmaps } = builtinResources(client.names).core.v1;
async function main(): Promise<void> {
  const map = await client.resource(configmaps, 'default').create({ metadata: { name: 'a' }, data: { big: '1' } });
  const error: unknown = await client.resource(configmaps, 'default').get('b').catch((reason: unknown) => reason);
  if (!isNotFound(error)) throw error;
  console.log(map.metadata.name, error.code, typeof runExtensionServer, typeof startDeviceLogin);
}
void main();
`,
});

/** What it prints. */
export const entriesOutput = 'a 404 function function\n';
