import { describe, expect, it } from 'vitest';
import { setupPlace } from '@/app/(console)/projects/[project]/setup-place';

const home = '/projects/birds';
const at = (path: string, asked: string | null, kept: string | null = null) =>
  setupPlace('birds', `${home}${path}`, asked, kept);

describe('the bar that leads back to the set-up', () => {
  it('is on a page that was opened from the path', () => {
    expect(at('/gold', 'gold')).toMatchObject({ step: 'gold', number: 4, count: 6, kept: 'birds/gold' });
  });

  it('stays after a form of the step leads to another address of it', () => {
    expect(at('/gold/write', null, 'birds/gold')?.step).toBe('gold');
    expect(at('/schema', null, 'birds/schema')?.step).toBe('schema');
    expect(at('/crowd/guide', null, 'birds/schema')?.step).toBe('schema');
    expect(at('/crowd/policy', null, 'birds/policy')?.step).toBe('policy');
  });

  it('goes when the reader goes elsewhere, in this project or into another', () => {
    expect(at('/setup', null, 'birds/gold')).toBeNull();
    expect(at('', null, 'birds/gold')).toBeNull();
    expect(at('/goldfinches', null, 'birds/gold')).toBeNull();
    expect(setupPlace('cats', '/projects/cats/gold', null, 'birds/gold')).toBeNull();
  });

  it('is nowhere for an address that names no step', () => {
    expect(at('/gold', 'elsewhere')).toBeNull();
    expect(at('/gold', null)).toBeNull();
  });
});
