interface DeletionReceipt {
  status: string;
  progress: { done: number; total: number | null };
}

/**
 * Whether a deletion by filter may have items left to soft-delete, or was canceled before it had
 * finished.
 */
export const mayHideMore = ({ progress, status }: DeletionReceipt): boolean =>
  status === "canceled" || progress.total === null || progress.done < progress.total;
