import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

type Finished = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>;
type Result = Finished['data'];

const isSuite = (data: Result): boolean => data.details?.type === 'suite';

function describeError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return text
    .split('\n')
    .slice(0, 40)
    .map((line) => `    ${line}`)
    .join('\n');
}

/** One line a failing or skipped test, and the totals as the last line: `N passed, N failed, N skipped`. */
export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const started = process.hrtime.bigint();
  const total = { passed: 0, failed: 0, skipped: 0 };
  const files = new Map<string, number>();
  const failures: string[] = [];
  const begun = new Map<string, number>();
  const took = new Map<string, number>();
  for await (const event of source) {
    if (event.type === 'test:enqueue' || event.type === 'test:complete') {
      const name = `${'  '.repeat(event.data.nesting)}${event.data.name}`;
      begun.set(name, (begun.get(name) ?? 0) + (event.type === 'test:enqueue' ? 1 : -1));
    } else if (event.type === 'test:pass' || event.type === 'test:fail') {
      const data = event.data;
      const where = data.file === undefined ? '' : relative(process.cwd(), data.file);
      if (event.type === 'test:fail') {
        const reason = describeError(event.data.details.error);
        // A suite fails when one of its tests fails; only a failure of the suite itself is reported.
        if (isSuite(data) && /subtests? failed/.test(reason)) continue;
        total.failed += 1;
        const text = `FAILED ${where} › ${data.name}\n${reason}\n`;
        failures.push(text);
        yield text;
      } else if (!isSuite(data)) {
        if (data.skip !== undefined && data.skip !== false) {
          total.skipped += 1;
          yield `skipped ${where} › ${data.name}${typeof data.skip === 'string' && data.skip !== '' ? `: ${data.skip}` : ''}\n`;
        } else {
          total.passed += 1;
          files.set(where, (files.get(where) ?? 0) + 1);
        }
      }
    } else if (event.type === 'test:summary' && event.data.file !== undefined) {
      took.set(relative(process.cwd(), event.data.file), event.data.duration_ms / 1000);
    } else if (event.type === 'test:stderr' && process.env['TEST_STDERR'] !== undefined) {
      yield event.data.message;
    }
  }
  // A test process that was ended too early says nothing of the tests that it still had.
  for (const [name, open] of begun) {
    if (open <= 0) continue;
    total.failed += 1;
    process.exitCode = 1;
    failures.push(`FAILED ${name}: it began and never ended\n`);
  }
  if (failures.length > 0) yield `\n${failures.length} failing:\n${failures.join('')}`;
  const slowest = [...took].sort((a, b) => b[1] - a[1]).slice(0, files.size > 20 ? 12 : 0);
  for (const [file, seconds] of slowest) yield `${seconds.toFixed(1).padStart(7)} s  ${file}\n`;
  const seconds = Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000;
  yield `${files.size} files in ${seconds.toFixed(1)} s\n`;
  yield `${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`;
}
