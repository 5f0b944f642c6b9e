/** The part of the YAML of an object that a server has written with its metadata, from its second line on. */
const metadataBlock = /^(metadata:\n)((?: .*\n)*)/m;

/**
 * An earlier state of an object as YAML, to be written over the present one: with the identity and the version of that, and
 * everything else as it was.
 */
export function restoredYaml(past: string, present: string): string {
  const identity = ['uid', 'resourceVersion'].map((name) => fieldLine(present, name)).join('');
  return past.replace(metadataBlock, (_block, head: string, lines: string) => {
    const kept = lines.replace(
      /^ {2}(?:uid|resourceVersion|deletionTimestamp|deletionGracePeriodSeconds):.*\n/gm,
      '',
    );
    return `${head}${kept}${identity}`;
  });
}

function fieldLine(yaml: string, name: string): string {
  const [, , lines = ''] = metadataBlock.exec(yaml) ?? [];
  const [line = ''] = new RegExp(`^ {2}${name}:.*\n`, 'm').exec(lines) ?? [];
  return line;
}
