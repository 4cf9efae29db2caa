import { describe, expect, it } from 'vitest';
import { shortClasses } from '@/lib/core/quality/gold-balance';

describe('classes that are short of gold', () => {
  it('are common ones with less than half of their share', () => {
    const supply = [
      { className: 'truck', images: 340, gold: 6 },
      { className: 'dog', images: 300, gold: 24 },
      { className: 'cat', images: 330, gold: 29 },
      { className: 'deer', images: 30, gold: 1 },
    ];
    expect(shortClasses(supply)).toEqual([
      { className: 'truck', imageShare: 0.34, goldShare: 0.1, missing: 15 },
    ]);
  });

  it('are none without gold or images, or when gold follows the images', () => {
    expect(shortClasses([])).toEqual([]);
    expect(shortClasses([{ className: 'dog', images: 10, gold: 0 }])).toEqual([]);
    expect(shortClasses([{ className: null, images: 10, gold: 3 }])).toEqual([]);
  });
});
