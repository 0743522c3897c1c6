import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure, Loading } from "./parts/states.tsx";

export type LoadScreen = () => Promise<{ Screen: FunctionComponent }>;

/** A screen whose script is loaded when it is shown first. */
export function Lazy({ load }: { load: LoadScreen }) {
  const [Shown, setShown] = useState<FunctionComponent>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    load().then(({ Screen }) => setShown(() => Screen), setError);
  }, []);
  if (error !== undefined) return <Failure error={error} retry={() => location.reload()} />;
  return Shown === undefined ? <Loading /> : <Shown />;
}
