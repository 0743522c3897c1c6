import { crc32, deflateRawSync } from "node:zlib";

export type ZipMethod = "stored" | "deflated" | "encrypted";

/** A zip file with these files, as `zip -0`, `zip` or `zip -e` write it. */
export function zipOf(files: Record<string, string | Buffer>, method: ZipMethod = "deflated"): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path);
    const plain = Buffer.from(content);
    const data = {
      stored: () => plain,
      deflated: () => deflateRawSync(plain),
      encrypted: () => Buffer.concat([Buffer.alloc(12), plain]),
    }[method]();
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(method === "encrypted" ? 0x801 : 0x800, 2);
    about.writeUInt16LE(method === "deflated" ? 8 : 0, 4);
    about.writeUInt32LE(crc32(plain), 10);
    about.writeUInt32LE(data.byteLength, 14);
    about.writeUInt32LE(plain.byteLength, 18);
    about.writeUInt16LE(name.byteLength, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), about, name, data]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    locals.push(local);
    centrals.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), about, place, name]));
    offset += local.byteLength;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(centrals.length, 4);
  end.writeUInt16LE(centrals.length, 6);
  end.writeUInt32LE(central.byteLength, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, central, Buffer.from("PK\u0005\u0006"), end]);
}
