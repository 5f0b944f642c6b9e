import { describeLensLaws } from '../testing/lens-laws.ts';
import { mutatingWebhookConfigurations } from './mutating-webhook-configuration.ts';
import { validatingWebhookConfigurations } from './validating-webhook-configuration.ts';

describeLensLaws(mutatingWebhookConfigurations);
describeLensLaws(validatingWebhookConfigurations);
