import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure, Loading } from "./parts/states.tsx";

export type LoadScreen = () => Promise<{ Screen: FunctionComponent }>;

/** A screen whose script is loaded when it is shown first. `meanwhile` is shown until then. */
export function Lazy(props: { load: LoadScreen; meanwhile?: ComponentChildren }) {
  const { load, meanwhile = <Loading /> } = props;
  const [Shown, setShown] = useState<FunctionComponent>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    load().then(({ Screen }) => setShown(() => Screen), setError);
  }, []);
  if (error !== undefined) return <Failure error={error} retry={() => location.reload()} />;
  return Shown === undefined ? meanwhile : <Shown />;
}
