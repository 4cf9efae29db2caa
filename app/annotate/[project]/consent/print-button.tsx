'use client';

import { Printer } from 'lucide-react';
import { Button } from '@/app/_ui/button';

export const PrintButton = () => (
  <Button size="large" variant="quiet" icon={<Printer aria-hidden />} onClick={() => window.print()}>
    Print
  </Button>
);
