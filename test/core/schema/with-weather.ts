import type { DatasetSchema } from '@/lib/core/schema';

/** The schema with a group more, of which everybody has to choose one. */
export const withWeather = (schema: DatasetSchema): DatasetSchema => ({
  ...schema,
  attributes: [
    ...schema.attributes,
    { id: 'sunny', name: 'Sunny', kind: 'label-only', definition: 'The sun shines.' },
    { id: 'rainy', name: 'Rainy', kind: 'label-only', definition: 'It rains.' },
  ],
  attributeGroups: [
    ...schema.attributeGroups,
    { id: 'weather', name: 'Weather', attributes: ['sunny', 'rainy'], min: 1, max: 1, exclusiveNone: false },
  ],
});
