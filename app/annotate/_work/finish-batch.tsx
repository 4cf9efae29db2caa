'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { ErrorState } from '@/app/_ui/error-state';
import { closeBatch } from './api';
import { LoadingWork } from './loading-work';

/** Every item is answered: hands the batch in and goes on to what it brought. */
export function FinishBatch({ batchId, donePath }: { batchId: string; donePath: string }) {
  const router = useRouter();
  const [problem, setProblem] = useState<string>();
  const finish = useCallback(async () => {
    setProblem(undefined);
    try {
      await closeBatch(batchId);
      router.push(donePath);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The server does not answer.');
    }
  }, [batchId, donePath, router]);
  useEffect(() => {
    void finish();
  }, [finish]);
  if (problem === undefined) return <LoadingWork />;
  return (
    <main className="mx-auto max-w-2xl">
      <ErrorState title="The batch is not handed in yet" action={<Button onClick={finish}>Try again</Button>}>
        All your answers are stored. {problem}
      </ErrorState>
    </main>
  );
}
