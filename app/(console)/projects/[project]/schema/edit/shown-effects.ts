import type { SchemaEffects } from '@/lib/services/projects/schema';

/** As it goes to the browser: amounts in millionths as text. */
export type ShownEffects = Omit<SchemaEffects, 'asked' | 'forms'> & {
  asked: (Omit<SchemaEffects['asked'][number], 'amountMicro'> & { amountMicro: string })[];
  forms: Omit<SchemaEffects['forms'], 'amountMicro'> & { amountMicro: string };
};
