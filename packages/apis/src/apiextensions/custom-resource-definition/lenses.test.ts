import { asObject, specOf } from '@orch/machinery/json';
import { describeLensLaws } from '../../testing/lens-laws.ts';
import { customResourceDefinitions } from './index.ts';
import { hoistIdentical } from './v1beta1.top-level.ts';

/** The effect of each version's defaults on an object. */
describeLensLaws(customResourceDefinitions, {
  tidy(definition, { version }) {
    const spec = specOf(definition) as Record<string, unknown>;
    if (version === 'v1beta1') {
      const [first] = Array.isArray(spec['versions']) ? spec['versions'] : [];
      spec['preserveUnknownFields'] ??= true;
      if (first !== undefined) spec['version'] ||= asObject(first)['name'];
      if (spec['version'] === '') delete spec['version'];
      hoistIdentical(spec);
      return;
    }
    const conversion = spec['conversion'] as Record<string, unknown> | undefined;
    const { clientConfig, conversionReviewVersions } = asObject(conversion?.['webhook']);
    if (clientConfig === undefined && !Array.isArray(conversionReviewVersions))
      delete conversion?.['webhook'];
  },
});
