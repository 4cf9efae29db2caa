import { route } from '@/app/api/_http/route';
import { getConsent, giveConsent } from '@/app/api/v1/consent/endpoints';

export const { GET, POST } = route(getConsent, giveConsent);
